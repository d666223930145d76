package read

import (
	"pillion.dev/pillion/internal/text/yaml/lex"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// blockScalar reads the literal or folded scalar whose "|" or ">" is at the cursor, and goes to the next token. Parent
// is the column of the collection around it, -1 for none.
func (r *reader) blockScalar(parent int) *node.Node {
	start, style := r.at, node.LiteralStyle
	if r.text[start] == '>' {
		style = node.FoldedStyle
	}
	header := lex.ReadBlockHeader(r.text, start)
	r.at = header.End
	r.skipBlanks()
	if !r.atLineEnd() {
		return r.fail(start, cannotBegin, r.text[start])
	}
	if r.peek(r.at) == '#' {
		r.skipComment()
	}
	if r.atBreak() {
		r.newLine()
	}
	indent := max(parent, 0) + header.Indent
	if header.Indent == 0 {
		indent = max(r.deepestBlank(), parent+1, 1)
	}
	end, newlines := r.blockLines(indent, style == node.FoldedStyle)
	switch header.Chomping {
	case '-':
		newlines = 0
	case '+':
		end = max(end, r.lineStart)
	default:
		newlines = min(newlines, len(r.built), 1)
	}
	r.addBreaks(newlines)
	n := r.scalarNode(style, start, string(r.built))
	n.End = int32(end)
	if !r.nextToken() {
		return nil
	}
	return n
}

// deepestBlank returns the most spaces that the first line with text behind the cursor, or an empty line before it,
// begins with.
func (r *reader) deepestBlank() (deepest int) {
	for at := r.at; ; at++ {
		content := lex.SkipSpaces(r.text, at)
		deepest = max(deepest, content-at)
		at = content
		if r.peek(at) == '\r' {
			at++
		}
		if c := r.peek(at); c != '\n' {
			r.unsure = r.unsure || c == '\t'
			return deepest
		}
	}
}

// blockLines builds the text of the lines that are indented deep enough. It returns the offset behind the last line
// with text, and the number of line breaks behind that text.
func (r *reader) blockLines(indent int, folded bool) (end, newlines int) {
	r.built = r.built[:0]
	end = r.at
	afterBlank := false
	for r.at < len(r.text) {
		content := min(lex.SkipSpaces(r.text, r.at), r.at+indent)
		c := r.peek(content)
		switch {
		case lex.IsBreak(c):
			r.at = content
			r.newLine()
			newlines++
			continue
		case content < r.at+indent || content == len(r.text):
			r.unsure = r.unsure || c == '\t'
			return end, newlines
		}
		startsBlank := lex.IsBlank(c)
		if folded && !afterBlank && !startsBlank && len(r.built) > 0 { // one break becomes a space, and of several the first one goes away
			newlines--
			if newlines == 0 {
				r.built = append(r.built, ' ')
			}
		}
		r.addBreaks(newlines)
		afterBlank = startsBlank
		r.at = lineEnd(r.text, content)
		r.built = append(r.built, r.text[content:r.at]...)
		if newlines = 0; r.at < len(r.text) {
			r.newLine()
			newlines = 1
		}
		end = r.at
	}
	return end, newlines
}

// addBreaks adds line breaks to the value that is being built.
func (r *reader) addBreaks(newlines int) {
	for range newlines {
		r.built = append(r.built, '\n')
	}
}
