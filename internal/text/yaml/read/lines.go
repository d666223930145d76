package read

import "pillion.dev/pillion/internal/text/yaml/lex"

// nextToken goes to the first token behind blanks, comments and line breaks. The cursor is at the start of a line, or
// nothing else may follow on its line.
func (r *reader) nextToken() bool {
	text, at := r.text, r.at
	if at < len(text) && text[at] == '\n' { // nearly always, an indented token begins the next line
		line := at + 1
		at = lex.SkipSpaces(text, line)
		if at > line && at < len(text) && text[at] > ' ' && text[at] != '#' {
			r.at = at
			r.lineStart = line
			r.column = at - line
			return true
		}
	}
	for {
		r.at = lex.SkipSpaces(r.text, r.at)
		switch c := r.peek(r.at); c {
		case '\n', '\r':
			r.newLine()
		case '#':
			r.skipComment()
		case '\t':
			if !lex.RestIsBlank(r.text, r.at) {
				r.fail(r.at, tabIndents)
				return false
			}
			r.skipBlanks()
		default:
			r.column = r.at - r.lineStart
			if r.at == len(r.text) || r.column == 0 && (c == '-' || c == '.') && r.atMarker() {
				r.column = -1
			}
			return true
		}
	}
}

// endLine goes to the next line with a token. It returns false if more than a comment follows on this line.
func (r *reader) endLine() bool {
	r.skipBlanks()
	return r.atLineEnd() && r.nextToken()
}

// atLineEnd reports whether a line break, a comment or the end of the text is at the cursor.
func (r *reader) atLineEnd() bool {
	c := r.peek(r.at)
	return lex.IsBreak(c) || c == '#' || r.at == len(r.text)
}

// atBreak reports whether a line break is at the cursor.
func (r *reader) atBreak() bool { return lex.IsBreak(r.peek(r.at)) }

// skipBlanks passes over blanks. The library allows tabs only in some places.
func (r *reader) skipBlanks() {
	for r.at = lex.SkipSpaces(r.text, r.at); r.peek(r.at) == '\t'; r.at = lex.SkipBlanks(r.text, r.at) {
		r.unsure = true
	}
}

// skipComment passes over the comment at the cursor. Without a blank before it, the library reads it as a comment only
// behind some tokens.
func (r *reader) skipComment() {
	r.unsure = r.unsure || r.at > r.lineStart && !lex.IsBlank(r.text[r.at-1])
	r.at = lineEnd(r.text, r.at)
}

// newLine goes behind the line break at the cursor.
func (r *reader) newLine() {
	if r.text[r.at] == '\r' && r.peek(r.at+1) == '\n' {
		r.at++
	}
	r.at++
	r.lineStart = r.at
}

// atMarker reports whether a document marker is at the cursor.
func (r *reader) atMarker() bool { return r.at == r.lineStart && lex.IsMarkerAt(r.text, r.at) }

// atIndicator reports whether a dash, a question mark or a colon is at the cursor and is not part of a plain scalar.
func (r *reader) atIndicator(c byte) bool { return r.peek(r.at) == c && lex.IsSpaceAt(r.text, r.at+1) }
