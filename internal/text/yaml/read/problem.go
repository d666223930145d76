package read

import (
	"bytes"
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/text/escape"
	"pillion.dev/pillion/internal/text/yaml/lex"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// fail ends reading with a problem, and returns nil. The first problem counts. The message is empty if a wrong
// explanation would be worse than none.
func (r *reader) fail(at int, format string, args ...any) *node.Node {
	if r.problem == nil {
		r.problem = &Error{At: at, Message: fmt.Sprintf(format, args...)}
	}
	return nil
}

// giveUp ends reading without an explanation, where the text is written in an unusual way.
func (r *reader) giveUp(way string) *node.Node {
	if r.problem == nil {
		r.problem = &Error{At: r.at, way: way}
	}
	return nil
}

// Ways of writing that the reader cannot follow. They are the problem if the library reads the text.
const (
	tooDeep           = "too many collections in each other"
	propertyBeforeKey = "an anchor or a tag before a key"
	pairInList        = "a key and a value in [ ] without { } around them"
	bareIndicator     = "a question mark or a colon in the place of a value, without quotes"
	linesInBrackets   = "text of several lines without quotes in brackets"
	oddIndent         = "an indentation that is rarely used"
	hiddenBreak       = "an invisible line break"
	tagAlone          = "a tag without a space behind it"
	otherWay          = "values in a way that is rarely used"
)

// Obstacle returns the first place of a text that Document could not follow, so that its nodes are approximate, and how
// it is written there.
func Obstacle(text []byte) *Error {
	var arena Arena
	found, _ := arena.Sure(text, 0)
	obstacle := Error{Message: otherWay}
	if problem := arena.reader.problem; problem != nil {
		obstacle.At = problem.At
		obstacle.Message = cmp.Or(problem.way, otherWay)
	} else if document, err := library(text); err == nil && found != nil {
		c := converter{anchored: map[*yaml.Node]*node.Node{}}
		c.agree(document, found)
		obstacle.At = c.differsAt
		if bytes.IndexByte(text[obstacle.At:lex.LineEnd(text, obstacle.At)], '!') >= 0 {
			obstacle.Message = tagAlone
		}
	}
	line := bytes.LastIndexByte(text[:obstacle.At], '\n') + 1
	if hidden := bytes.IndexAny(text[line:obstacle.At], "\u0085\u2028\u2029"); hidden >= 0 {
		obstacle = Error{At: line + hidden, Message: hiddenBreak}
	}
	return &obstacle
}

const (
	tabIndents  = "a tab is used for indentation; YAML allows only spaces there: replace the tab by spaces"
	cannotBegin = "a value cannot begin with %q here; remove it, or put the value in quotes"
	textBehind  = "text follows the closing quote or bracket; put all of the value in quotes, or remove that text; " +
		"a quote inside of single quotes is written ''"
	unknownAnchor = "the alias *%s refers to an anchor outside of the object; " +
		"write out what it stands for, or put it in quotes if it is not an alias"
	conflictMessage = "this file has an unresolved merge conflict; resolve it, and remove the lines with <<<<<<<, ======= and >>>>>>>"
	templateMessage = "%s begins a template action, which is not YAML; render the template first, such as by helm template"
)

// indentProblem reports a token at an offset that is in line with nothing above it.
func (r *reader) indentProblem(at int) *node.Node {
	r.fail(at, "the indentation of this line does not match the lines above; "+
		"indent it like the line that it belongs beside")
	r.problem.way = oddIndent
	return nil
}

// lineProblem reports a line that begins at an offset, and is neither a key nor an entry.
func (r *reader) lineProblem(at int) *node.Node {
	line := r.text[at:lineEnd(r.text, at)]
	colon := strings.IndexByte(line, ':')
	switch {
	case line[0] == '-':
		return r.fail(at, `there is no space after the dash; write "- %s"`, brief(line[1:]))
	case colon > 0 && lex.WordEnd(line, 0, false) > colon+1:
		return r.fail(at+colon, "there is no space after the colon; write %s: %s", brief(line[:colon]), brief(line[colon+1:]))
	}
	return r.fail(at, `%q has no colon, so it is not a key; write "key: value"`, brief(line))
}

// behindPlainProblem reports what follows a plain scalar.
func (r *reader) behindPlainProblem(scalar *node.Node) *node.Node {
	if !r.atIndicator(':') {
		return r.giveUp("text behind a value")
	}
	return r.fail(r.at, `the value contains ": ", which makes %q another key; put the value in quotes, `+
		"or remove the space after the colon", brief(scalar.Value))
}

// keyBelowValue reports a key at the cursor, on a line that YAML reads as the continuation of a plain value. If the
// value is on a line of its own, it is probably a key without a colon.
func (r *reader) keyBelowValue(scalar *node.Node) *node.Node {
	value := int(scalar.Start)
	line := 1 + strings.LastIndexByte(r.text[:value], '\n')
	before := strings.TrimLeft(r.text[line:value], " ")
	switch tab := strings.IndexByte(r.text[r.lineStart:r.at], '\t'); {
	case strings.Trim(before, "- ") == "" && value-line == r.at-r.lineStart:
		return r.lineProblem(value)
	case len(before) > 1 && before[0] == '-' && before[1] != ' ':
		return r.lineProblem(value - len(before))
	case tab >= 0:
		return r.fail(r.lineStart+tab, tabIndents)
	}
	return r.fail(r.at, "a key cannot follow here, because this line continues the value %q above it; indent it like the key that it "+
		"belongs beside, or remove that value", brief(r.text[value:lineEnd(r.text, value)]))
}

// quoteProblem reports a quote that is not closed.
func (r *reader) quoteProblem(start int) *node.Node {
	return r.fail(start, "the quote %c that begins here is not closed; add the closing quote", r.text[start])
}

// behindValueProblem reports what follows a value in quotes or brackets, or an alias. What closes quotes of several
// lines is probably the opening quote of another value.
func (r *reader) behindValueProblem(n *node.Node) *node.Node {
	switch isQuoted := n.Style&(node.SingleQuotedStyle|node.DoubleQuotedStyle) != 0; {
	case n.Kind == node.AliasNode:
		return r.giveUp("text behind an alias")
	case isQuoted && int(n.Start) < r.lineStart:
		return r.quoteProblem(int(n.Start))
	}
	return r.fail(r.at, textBehind)
}

// bracketProblem reports that the innermost bracket is not closed.
func (r *reader) bracketProblem() {
	r.fail(r.bracket, "the bracket %c that begins here is not closed; add %c", r.text[r.bracket], closing(r.text[r.bracket]))
}

func closing(c byte) byte { return c + 2 } // [ and ], { and } are two apart

// commaProblem reports something behind a complete value in brackets: a comma is missing, or the bracket is not closed
// if the line begins outside of the brackets.
func (r *reader) commaProblem() {
	isOutside := r.lineStart > r.bracket && lex.SkipSpaces(r.text, r.lineStart)-r.lineStart <= max(r.parent, 0)
	if c := r.text[r.at]; isOutside || c == ']' || c == '}' {
		r.bracketProblem()
		return
	}
	r.fail(r.at, "a comma is missing before this; add one, close the bracket %c, or put the value in quotes", r.text[r.bracket])
	switch {
	case r.text[r.at] == ':':
		r.problem.way = pairInList
	case r.lastEnd() < r.lineStart:
		r.problem.way = linesInBrackets
	case strings.Contains(r.text[r.at-1:r.at+1], "?"):
		r.problem.way = bareIndicator
	}
}

// brief returns the beginning of a text, for messages.
func brief(text string) string { return escape.Clip(strings.TrimSpace(text), 40) }

// conflict matches the lines that a merge conflict begins and ends with. One of them may be in another document.
var conflict = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("(?m)^(<{7}|>{7}) ") })

// hint returns a problem that explains another one better, if there is one: merge conflicts and control characters
// anywhere, or template actions around it.
func hint(text []byte, at int) *Error {
	if found := conflict().FindIndex(text); found != nil {
		return &Error{At: found[0], Message: conflictMessage}
	}
	if found := bytes.IndexFunc(text, func(c rune) bool { return c < utf8.RuneSelf && isUnusual(c) }); found >= 0 { // not even in quotes
		return invisible(text, found)
	}
	for _, action := range templateActions {
		if found := action.around(text, at); found >= 0 {
			return &Error{At: found, Message: fmt.Sprintf(templateMessage, action.start), IsTemplate: true}
		}
	}
	return nil
}

// templateAction is how an action of a template begins and ends.
type templateAction struct{ start, end string }

// templateActions are those of Go and Helm, and those of Jinja.
var templateActions = []templateAction{{"{{", "}}"}, {"{%", "%}"}}

// around returns the offset of the action that another offset is in, or that is on its line and not in quotes or a
// comment, or -1.
func (a templateAction) around(text []byte, at int) int {
	begin := bytes.LastIndex(text[:at], []byte(a.start))
	if begin >= 0 && !bytes.Contains(text[begin:at], []byte(a.end)) {
		return begin
	}
	line := bytes.LastIndexByte(text[:at], '\n') + 1
	before, _, found := bytes.Cut(text[line:lex.LineEnd(text, at)], []byte(a.start))
	if !found || bytes.ContainsAny(before, `"'#`) {
		return -1
	}
	return line + len(before)
}

// MayBeTemplate reports whether a text has something that may be an action of a template.
func MayBeTemplate(text []byte) bool {
	isIn := func(action templateAction) bool { return bytes.Contains(text, []byte(action.start)) }
	return slices.ContainsFunc(templateActions, isIn)
}

// invisible reports the character at an offset, which editors do not show.
func invisible(text []byte, at int) *Error {
	c, _ := utf8.DecodeRune(text[at:])
	return &Error{At: at, Message: fmt.Sprintf("the invisible character U+%04X is not allowed here; remove it", c)}
}
