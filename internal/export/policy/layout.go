package policy

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// width is the length of a line above which an expression is broken.
const width = 120

// term is an expression that can be broken over lines: between its parts.
type term struct {
	open      string // all of it, if it has no parts
	parts     []term
	separator string // "," or an operator
	close     string
	isBroken  bool // always over several lines
}

func atom(text string) term { return term{open: text} }

// String returns the term in one line.
func (t term) String() string {
	parts := make([]string, len(t.parts))
	for i, part := range t.parts {
		parts[i] = part.String()
	}
	return t.open + strings.Join(parts, t.separator+" ") + t.close
}

// in returns the term between two texts.
func (t term) in(before, after string) term {
	if t.parts == nil {
		return atom(before + t.open + after)
	}
	t.open = before + t.open
	t.close += after
	return t
}

// broken returns the term with a line of its own for each part.
func (t term) broken() term {
	t.isBroken = t.parts != nil
	return t
}

// lines returns the term as lines, given what stands in front of it and behind it.
func (t term) lines(indent, behind string) []string {
	line := indent + t.String() + behind
	if t.parts == nil || !t.isBroken && utf8.RuneCountInString(line) <= width {
		return []string{line}
	}
	var all []string
	deeper := indent
	if t.open != "" {
		all = append(all, indent+strings.TrimSuffix(t.open, " "))
		deeper = indent + "  "
	}
	for i, part := range t.parts {
		after := t.separator
		if i == len(t.parts)-1 {
			after = t.close + behind
		}
		all = append(all, part.lines(deeper, after)...)
	}
	return all
}

// text returns the term over lines, each with a line break in front of it except the first.
func (t term) text() string { return strings.Join(t.lines("", ""), "\n") }

// list returns a list.
func list(parts ...term) term {
	if len(parts) == 0 {
		return atom("[]")
	}
	return term{open: "[", parts: parts, separator: ",", close: "]"}
}

// every returns the condition that all conditions hold. Each part must bind at least as close as a comparison.
func every(conditions ...term) term {
	switch len(conditions) {
	case 0:
		return atom("true")
	case 1:
		return conditions[0]
	}
	return term{parts: conditions, separator: " &&"}
}

// quote returns a string as a literal. Go's quoting is valid in CEL, as a test in test/admission shows for every
// character.
func quote(text string) string { return strconv.Quote(text) }

func literal(text string) term { return atom(quote(text)) }

// names returns a list of strings as a literal.
func names(texts []string) term {
	parts := make([]term, len(texts))
	for i, text := range texts {
		parts[i] = literal(text)
	}
	return list(parts...)
}

// maxLiteral is the length of a text above which its literal is over several lines.
const maxLiteral = 100

// textOf returns a string as a literal. A long one keeps its lines, and a long line is in pieces that end with words.
func textOf(value string) term {
	switch {
	case len(value) <= maxLiteral:
		return literal(value)
	case strings.Contains(value, "\n"):
		return atom(tripleQuote(value))
	}
	var pieces []term
	for len(value) > maxLiteral {
		end := strings.LastIndexAny(value[:maxLiteral], " ,") + 1
		if end == 0 {
			end = strings.IndexAny(value, " ,") + 1
		}
		if end == 0 {
			break
		}
		pieces = append(pieces, literal(value[:end]))
		value = value[end:]
	}
	if len(pieces) == 0 {
		return literal(value)
	}
	return list(append(pieces, literal(value))...).in("", `.join("")`) // CEL refuses long sums
}

// tripleQuote returns a string as a literal in which lines are lines.
func tripleQuote(value string) string {
	lines := strings.Split(value, "\n")
	for i, line := range lines {
		quoted := quote(line)
		lines[i] = quoted[1 : len(quoted)-1]
	}
	text := strings.Join(lines, "\n")
	if !strings.Contains(value, `"""`) && !strings.HasSuffix(value, `"`) { // what would end the literal
		text = strings.ReplaceAll(text, `\"`, `"`)
	}
	return `"""` + text + `"""`
}

// sum returns the sum of strings.
func sum(parts []term) term {
	if len(parts) == 1 {
		return parts[0]
	}
	return term{parts: parts, separator: " +"}
}
