package read

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"

	"pillion.dev/pillion/internal/yaml/lex"
	"pillion.dev/pillion/internal/yaml/node"
)

// fail ends reading with a problem, and returns nil. The first problem counts. The message is empty if a wrong explanation would be worse
// than none.
func (r *reader) fail(at int, format string, args ...any) *node.Node {
	if r.problem == nil {
		r.problem = &Error{At: at, Message: fmt.Sprintf(format, args...)}
	}
	return nil
}

// giveUp ends reading without an explanation, where the text is written in an unusual way.
func (r *reader) giveUp() *node.Node { return r.fail(r.at, "") }

const (
	tabIndents            = "a tab is used for indentation; YAML allows only spaces there: replace the tab by spaces"
	entryAmongKeys        = "this list entry is in line with the keys of a mapping; indent it under the key that it belongs to"
	noName                = "%c begins %s, which consists of letters and digits; if this is none, put the value in quotes"
	textBehindBlockHeader = "%c begins a text on the following lines, and nothing else may be on its line; put the value in quotes, " +
		"or begin its text on the next line"
	unknownAnchor = "the alias *%s refers to an anchor outside of the object; " +
		"write out what it stands for, or put it in quotes if it is not an alias"
)

// beginProblem reports a character that no value begins with.
func (r *reader) beginProblem(at int) *node.Node {
	switch c := r.text[at]; c {
	case '@', '`', '%', ',', ']', '}':
		return r.fail(at, "a value cannot begin with %q; remove it, or put the value in quotes", c)
	case '-':
		if r.depth > 0 {
			return r.fail(at, "a list cannot begin on the line of its key; begin it on the next line, or put the value in quotes")
		}
	}
	return r.giveUp()
}

// flowBeginProblem reports a character that no value begins with in the brackets that begin at an offset.
func (r *reader) flowBeginProblem(at, start int) *node.Node {
	switch c := r.text[at]; c {
	case ']', '}':
		return r.commaProblem(start)
	case '-', '|', '>':
		return r.fail(at, "a value in brackets cannot begin with %q; close the bracket before it, remove it, or put the value in quotes", c)
	}
	return r.beginProblem(at)
}

// indentProblem reports a line that is in line with nothing above it. The column is that of the collection around it, or -1.
func (r *reader) indentProblem(column int) *node.Node {
	indent := spaces(column)
	switch isLeft := r.leftAt == r.at; {
	case isLeft && column >= 0:
		indent = fmt.Sprintf("%d or %s", column, spaces(r.leftColumn))
	case isLeft:
		indent = spaces(r.leftColumn)
	case column < 0:
		return r.giveUp()
	}
	return r.fail(r.at, "the indentation of %s does not match the lines above; indent this line by %s", spaces(r.column), indent)
}

func spaces(n int) string {
	if n == 1 {
		return "1 space"
	}
	return fmt.Sprintf("%d spaces", n)
}

// keyAmongEntries reports a key that is in line with the dashes of a list.
func (r *reader) keyAmongEntries() *node.Node {
	if r.dashProblem(r.at) {
		return nil
	}
	return r.fail(r.at, `this key is in line with the dashes of a list; indent it like the other keys of its entry, or begin it with "- "`)
}

// dashProblem reports an entry without a space behind its dash, if there is one at the offset.
func (r *reader) dashProblem(at int) bool {
	if r.text[at] != '-' {
		return false
	}
	r.fail(at, `there is no space after the dash; write "- %s"`, brief(r.text[at+1:lineEnd(r.text, at)]))
	return true
}

// colonProblem reports a key without a space behind its colon.
func (r *reader) colonProblem(key, colon int) *node.Node {
	behind := r.text[colon+1 : lineEnd(r.text, colon)]
	return r.fail(colon, "there is no space after the colon; write %s: %s", brief(r.text[key:colon]), brief(behind))
}

// noKeyProblem reports a line among the keys of a mapping that is none.
func (r *reader) noKeyProblem(at int) *node.Node {
	isQuoted := r.text[at] == '"' || r.text[at] == '\''
	switch {
	case isQuoted && at < r.lineStart: // quotes over several lines
		return r.quoteProblem(at)
	case isQuoted && r.peek(r.at) == ':':
		return r.colonProblem(at, r.at)
	}
	return r.wordProblem(at)
}

// wordProblem reports a line with neither a key nor a dash.
func (r *reader) wordProblem(at int) *node.Node {
	if r.dashProblem(at) {
		return nil
	}
	switch r.text[at] {
	case '{', '[', '"', '\'', '|', '>':
		return r.fail(at, "a key or a dash is expected here; indent the value deeper than the key that it belongs to")
	}
	line := r.text[at:lex.PlainEnd(r.text, at, false)]
	if colon := strings.IndexByte(line, ':'); colon > 0 && lex.WordEnd(line, 0, false) > colon+1 {
		return r.colonProblem(at, at+colon)
	}
	return r.fail(at, `%q has no colon, so it is not a key; write "key: value"`, brief(line))
}

// behindPlainProblem reports what follows a plain scalar.
func (r *reader) behindPlainProblem(scalar *node.Node) *node.Node {
	if r.problem != nil {
		return nil
	}
	if !r.atIndicator(':') {
		return r.giveUp()
	}
	return r.fail(r.at, `the value contains ": ", which makes %q another key; put the value in quotes, `+
		"or remove the space after the colon", brief(scalar.Value))
}

// keyBelowValue reports a key on a line that YAML reads as the continuation of a plain value. If the value is on a line of its own,
// it is probably a key without a colon.
func (r *reader) keyBelowValue(scalar *node.Node, key, keyEnd int) *node.Node {
	value := int(scalar.Start)
	start, keyLine := 1+strings.LastIndexByte(r.text[:value], '\n'), 1+strings.LastIndexByte(r.text[:key], '\n')
	first := skipSpaces(r.text, start)
	if strings.Trim(r.text[start:value], "- ") == "" && value-start == key-keyLine {
		return r.wordProblem(value)
	}
	if !lex.IsSpaceAt(r.text, first+1) && r.dashProblem(first) {
		return nil
	}
	if tab := strings.IndexByte(r.text[keyLine:key], '\t'); tab >= 0 {
		return r.fail(keyLine+tab, tabIndents)
	}
	return r.fail(key, "the key %q cannot follow here, because this line continues the value %q above it; indent it like the key that "+
		"it belongs beside, or remove that value", brief(r.text[key:keyEnd]),
		brief(r.text[value:lex.PlainEnd(r.text, value, false)]))
}

// quoteProblem reports a quote that is not closed.
func (r *reader) quoteProblem(start int) *node.Node {
	return r.fail(start, "the quote %c that begins here is not closed; add the closing quote", r.text[start])
}

// escapeProblem reports an escape that YAML does not know.
func (r *reader) escapeProblem(at int) {
	r.fail(at, `\%c is not an escape of YAML; write \\%[1]c, or use single quotes`, r.text[at+1])
}

// behindValueProblem reports what follows a value in quotes or brackets, or an alias.
func (r *reader) behindValueProblem(n *node.Node) *node.Node {
	start, isQuoted := int(n.Start), n.Style&node.FlowStyle == 0
	switch {
	case r.problem != nil:
		return nil
	case n.Kind == node.AliasNode:
		return r.giveUp()
	case isQuoted && start < r.lineStart: // what closes it is probably the opening quote of another value
		return r.quoteProblem(start)
	case isQuoted && r.peek(r.at) == ':' && !r.atIndicator(':') && strings.Trim(r.text[r.lineStart:start], " -") == "":
		return r.colonProblem(start, r.at)
	case r.text[n.End-1] == '\'':
		return r.fail(r.at, "text follows the closing quote; write '' for a quote inside of single quotes, or use double quotes")
	}
	return r.fail(r.at, "text follows the closing quote or bracket; put all of the value in quotes, or remove that text")
}

// bracketProblem reports a bracket that is not closed.
func (r *reader) bracketProblem(start int) *node.Node {
	return r.fail(start, "the bracket %c that begins here is not closed; add %c", r.text[start], closing(r.text[start]))
}

func closing(c byte) byte { return c + 2 } // [ and ], { and } are two apart

// commaProblem reports something behind a complete value in brackets: a comma is missing, or the bracket around it is not
// closed if the line begins outside of the brackets.
func (r *reader) commaProblem(start int) *node.Node {
	at := r.at
	switch c := r.peek(at); c {
	case ']', '}':
		return r.fail(start, "the bracket %c that begins here is closed by %c; close it by %c first",
			r.text[start], c, closing(r.text[start]))
	case '?':
		return r.fail(at, "a question mark ends a value in brackets; put the value in quotes")
	case ':': // the word before it is a key
		at = max(start+1, 1+strings.LastIndexAny(r.text[:trimmed(r.text, start, at)], " \t\n"))
	}
	line := 1 + strings.LastIndexByte(r.text[:at], '\n')
	if at == len(r.text) || line > start && skipSpaces(r.text, line)-line <= max(r.tabsFrom-1, 0) {
		return r.bracketProblem(start)
	}
	return r.fail(at, "there is no comma between this and what comes before it; add one, or close the bracket %c before it", r.text[start])
}

// maxShown bounds what messages show of a text, in bytes.
const maxShown = 40

// brief returns the text, or its beginning if it is long.
func brief(text string) string {
	text = strings.TrimSpace(text)
	if len(text) <= maxShown {
		return text
	}
	return strings.ToValidUTF8(text[:maxShown], "") + "..."
}

const (
	conflictMessage = "this file has an unresolved merge conflict; resolve it, and remove the lines with <<<<<<<, ======= and >>>>>>>"
	templateMessage = "{{ begins a template action, which is not YAML; render the template first, such as by helm template"
)

// conflict matches the lines that a merge conflict begins and ends with. One of them may be in another document.
var conflict = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("(?m)^(<{7}|>{7}) ") })

// hint returns a problem that explains another one better, if there is one: merge conflicts and control characters anywhere, or
// template actions on its line.
func hint(text []byte, at int) *Error {
	if found := conflict().FindIndex(text); found != nil {
		return &Error{At: found[0], Message: conflictMessage}
	}
	if found := bytes.IndexFunc(text, isControl); found >= 0 {
		return invisible(text, found)
	}
	line := bytes.LastIndexByte(text[:at], '\n') + 1
	before, _, found := bytes.Cut(text[line:lex.LineEnd(text, at)], []byte("{{"))
	if !found || bytes.ContainsAny(before, `"'#`) {
		return nil
	}
	return &Error{At: line + len(before), Message: templateMessage}
}

// isControl reports whether a character is one that YAML does not allow anywhere, not even in quotes.
func isControl(c rune) bool { return c < ' ' && c != '\t' && c != '\n' && c != '\r' || c == 0x7f }

// invisible reports the character at an offset, which editors do not show.
func invisible(text []byte, at int) *Error {
	c, _ := utf8.DecodeRune(text[at:])
	return &Error{At: at, Message: fmt.Sprintf("the invisible character U+%04X is not allowed here; remove it", c)}
}
