package parse

import (
	"strings"
	"unicode/utf8"

	"pillion.dev/pillion/internal/yaml/lex"
)

// nextToken goes to the first token behind blanks, comments and line breaks. The cursor is
// at the start of a line, or nothing else may follow on its line.
func (r *reader) nextToken() bool {
	for {
		r.skipSpaces()
		switch r.peek(r.at) {
		case '\n', '\r':
			r.newLine(r.at)
		case '#':
			if !r.skipComment() {
				return false
			}
		case '\t':
			return false
		case 0:
			r.column = -1
			return true
		default:
			r.column = r.at - r.lineStart
			return true
		}
	}
}

// endLine goes to the next line with a token. It returns false if more than a comment follows on this line.
func (r *reader) endLine() bool {
	r.skipSpaces()
	return r.atLineEnd() && r.nextToken()
}

// atLineEnd reports whether a line break, a comment or the end of the text is at the cursor.
func (r *reader) atLineEnd() bool {
	switch r.peek(r.at) {
	case '\n', '\r', '#', 0:
		return true
	}
	return false
}

// atBreak reports whether a line break is at the cursor.
func (r *reader) atBreak() bool { return lex.IsBreak(r.peek(r.at)) }

// skipComment passes over the comment at the cursor. It returns false if no blank is before
// it, because the library reads it as a comment only behind some tokens.
func (r *reader) skipComment() bool {
	if r.at > r.lineStart && !lex.IsBlank(r.text[r.at-1]) {
		return false
	}
	if size := strings.IndexByte(r.text[r.at:], '\n'); size >= 0 {
		r.newLine(r.at + size)
	} else {
		r.at = len(r.text)
	}
	return true
}

// newLine goes behind the line break at the offset.
func (r *reader) newLine(at int) {
	if r.text[at] == '\r' && r.peek(at+1) == '\n' {
		at++
	}
	r.at, r.lineStart = at+1, at+1
	r.line++
}

// columnOf returns the column of an offset on the current line, from 1, in characters.
func (r *reader) columnOf(at int) int {
	if !r.wide {
		return at - r.lineStart + 1
	}
	if r.countedTo < r.lineStart || at < r.countedTo {
		r.counted, r.countedTo = 0, r.lineStart
	}
	r.counted += utf8.RuneCountInString(r.text[r.countedTo:at])
	r.countedTo = at
	return r.counted + 1
}
