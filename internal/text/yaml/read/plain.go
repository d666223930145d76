package read

import (
	"strings"

	"pillion.dev/pillion/internal/text/yaml/lex"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// scalar reads the plain or quoted scalar or the alias at the cursor and ends right behind it, and at the end of the
// line if it is plain: what follows decides whether it goes on below. One in brackets that goes on below is left to the
// library.
func (r *reader) scalar(flow bool) *node.Node {
	start := r.at
	switch c := r.text[start]; {
	case beginsPlain[c]:
	case c == '"' || c == '\'':
		return r.quoted()
	case c == '*':
		return r.alias()
	case (c == '-' || c == '?' || c == ':') && !r.atIndicator(c):
		next := r.text[start+1]
		r.unsure = r.unsure || c != '-' || flow && next != '-' && !beginsPlain[next]
	case c == '&' || c == '!':
		return r.giveUp(propertyBeforeKey)
	case c == '?' || c == ':':
		return r.giveUp(bareIndicator)
	default:
		return r.fail(start, cannotBegin, c)
	}
	r.at = r.plainEnd(start, flow)
	return r.leaf(start, r.at)
}

// beginsPlain holds the bytes that begin a plain scalar whatever follows them.
var beginsPlain = func() (set [256]bool) {
	for c := range set {
		set[c] = c > ' ' && c != 0x7f && !lex.IsIndicator(byte(c))
	}
	return set
}()

// plainEnd returns the end of the part of a plain scalar that is on the line, without blanks behind it.
func (r *reader) plainEnd(start int, flow bool) int {
	end := lex.PlainEnd(r.text, start, flow)
	r.unsure = r.unsure || strings.IndexByte(r.text[start:end], '\t') >= 0 // it is a blank only sometimes
	return trimmed(r.text, start, end)
}

// trimmed returns the offset behind the last byte from start to end that is not a blank.
func trimmed(text string, start, end int) int {
	for end > start && lex.IsBlank(text[end-1]) {
		end--
	}
	return end
}

// endPlain goes to the token behind the plain scalar that was read on the line. It adds the next lines to the scalar if
// they are deeper than its parent.
func (r *reader) endPlain(scalar *node.Node, parent int) *node.Node {
	if r.endsUsually(parent) {
		return scalar
	}
	r.built = append(r.built[:0], scalar.Value...)
	for r.continues(parent) {
		end := r.plainEnd(r.at, false)
		if next := lex.SkipBlanks(r.text, end); r.peek(next) == ':' && lex.IsSpaceAt(r.text, next+1) {
			return r.keyBelowValue(scalar)
		}
		r.built = append(r.built, r.text[r.at:end]...)
		r.at = end
		scalar.End = int32(end)
	}
	if !r.endLine() {
		return r.behindPlainProblem(scalar)
	}
	if len(r.built) > len(scalar.Value) {
		scalar.Value = string(r.built)
		scalar.Tag = node.PlainTag(scalar.Value)
	}
	return scalar
}

// endsUsually goes to the token behind a plain scalar if a line break is behind it and the token is not deeper, as in
// most texts. Otherwise it leaves the cursor.
func (r *reader) endsUsually(parent int) bool {
	behind, line, unsure := r.at, r.lineStart, r.unsure
	if r.peek(behind) == '\n' && r.nextToken() && r.column <= parent {
		return true
	}
	r.at, r.lineStart, r.unsure = behind, line, unsure
	return false
}

// continues goes to the next line of a plain scalar, and writes what the breaks before it become. It returns false, and
// leaves the cursor, if the scalar ends on this line.
func (r *reader) continues(parent int) bool {
	behind, line, size := r.at, r.lineStart, len(r.built)
	r.skipBlanks()
	if r.atBreak() {
		folds := r.foldLines(false)
		spaces := lex.SkipSpaces(r.text, r.lineStart)
		c := r.peek(r.at)
		if folds && spaces-r.lineStart > parent && c != '#' && c != 0 {
			r.unsure = r.unsure || strings.IndexByte(r.text[behind:r.at], '\t') >= 0
			return true
		}
		r.built = r.built[:size]
	}
	r.at, r.lineStart = behind, line
	return false
}

// foldLines goes to the text behind the line break at the cursor, and writes what the breaks before it become: one is a
// space, or nothing if it is escaped, and each further one is kept. It returns false at a document marker.
func (r *reader) foldLines(escaped bool) bool {
	r.newLine()
	kept := 0
	for r.at = lex.SkipBlanks(r.text, r.at); r.atBreak(); r.at = lex.SkipBlanks(r.text, r.at) {
		r.newLine()
		r.built = append(r.built, '\n')
		kept++
	}
	if kept == 0 && !escaped {
		r.built = append(r.built, ' ')
	}
	return !r.atMarker()
}
