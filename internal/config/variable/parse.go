package variable

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"pillion.dev/pillion/internal/text/escape"
	"pillion.dev/pillion/internal/text/spelling"
)

const (
	opening  = "${"
	closing  = "}"
	escaping = "$" // before opening, which is then literal
	orElse   = ":-"
)

// Problem describes a text that cannot be parsed.
type Problem struct {
	// Message names the problem and the remedy.
	Message string
	// Proposed is what was probably meant, or empty.
	Proposed string
}

func problemf(format string, args ...any) *Problem {
	return &Problem{Message: fmt.Sprintf(format, args...)}
}

// Parse parses a text. A text without "${" is literal: Kubernetes' own $(VAR) and
// a shell's $VAR and $$ have no meaning here.
func Parse(text string) (Text, *Problem) {
	if !strings.Contains(text, opening) {
		return Text{}, nil
	}
	var t Text
	var literal strings.Builder
	for text != "" {
		before, rest, found := strings.Cut(text, opening)
		if unescaped, isEscaped := strings.CutSuffix(before, escaping); found && isEscaped {
			literal.WriteString(unescaped + opening)
			text = rest
			continue
		}
		literal.WriteString(before)
		if !found {
			break
		}
		inside, after, closed := strings.Cut(rest, closing)
		if !closed {
			return Text{}, problemf(`%q is not closed; write the "}" that ends it, or $${ for a literal ${`, clip(opening+rest))
		}
		variable, problem := parseVariable(inside)
		if problem != nil {
			return Text{}, problem
		}
		t.addLiteral(literal.String())
		literal.Reset()
		t.segments = append(t.segments, variable)
		text = after
	}
	t.addLiteral(literal.String())
	return t, nil
}

func (t *Text) addLiteral(literal string) {
	if literal != "" {
		t.segments = append(t.segments, Segment{Literal: literal})
	}
}

// parseVariable parses the text between the braces.
func parseVariable(inside string) (Segment, *Problem) {
	name, fallback, hasDefault := strings.Cut(inside, orElse)
	if strings.TrimSpace(name) == "" {
		return Segment{}, problemf("%s names no variable; known are %s; write $${ for a literal ${",
			quoted(inside), strings.Join(Names(), ", "))
	}
	if strings.Contains(fallback, "{") {
		return Segment{}, problemf(`the default in %s holds a "{"; a default is plain text without braces and without variables`,
			quoted(inside))
	}
	s, problem := parseName(name, inside)
	s.Default, s.HasDefault = fallback, hasDefault
	return s, problem
}

func parseName(name, inside string) (Segment, *Problem) {
	if trimmed := strings.TrimSpace(name); trimmed != name {
		return Segment{}, problemf("there are spaces around the name in %s; write ${%s}", quoted(inside), clip(trimmed))
	}
	for _, known := range sources {
		rest, found := strings.CutPrefix(name, known.name)
		switch {
		case found && !known.keyed && rest == "":
			return Segment{Name: known.name}, nil
		case found && known.keyed && (rest == "" || rest[0] == '[' || rest[0] == '.'):
			key, problem := parseKey(rest, inside, known)
			return Segment{Name: known.name, Key: key}, problem
		}
	}
	if before, _, hasColon := strings.Cut(name, ":"); hasColon && isKnown(before) {
		return Segment{}, problemf(`a default begins with ":-", which %s does not have; write ${%s:-DEFAULT}`, quoted(inside), before)
	}
	unknown := problemf("there is no variable %s; known are %s; write $${ for a literal ${", quoted(inside), strings.Join(Names(), ", "))
	if near := spelling.Nearest(name, Names()); near != "" {
		unknown.Proposed = opening + near + closing
		unknown.Message = fmt.Sprintf("there is no variable %s; did you mean %s? Write $${ for a literal ${", quoted(inside), unknown.Proposed)
	}
	return Segment{}, unknown
}

func isKnown(name string) bool {
	_, problem := parseName(name, name)
	return problem == nil
}

// parseKey parses ['key']. Other spellings are common elsewhere, so messages show the right one.
func parseKey(rest, inside string, s source) (string, *Problem) {
	key, ok := strings.CutPrefix(rest, "['")
	if ok {
		key, ok = strings.CutSuffix(key, "']")
	}
	if !ok {
		meant := strings.Trim(rest, `.[]'"`)
		if meant == "" || strings.ContainsAny(meant, `[]'"`) {
			meant = "KEY"
		}
		return "", problemf("the key in %s has the wrong form; write ${%s}", quoted(inside), s.spelled(clip(meant)))
	}
	if key == "" {
		return "", problemf("the key in %s is empty; write ${%s}", quoted(inside), s.spelled("KEY"))
	}
	if faults := validation.IsQualifiedName(strings.ToLower(key)); len(faults) > 0 {
		return "", problemf("%q in %s cannot be the key of a label or annotation: %s", clip(key), quoted(inside), faults[0])
	}
	return key, nil
}

func quoted(inside string) string { return clip(opening + inside + closing) }

// clip shortens a long text.
func clip(text string) string { return escape.Clip(text, 60) }
