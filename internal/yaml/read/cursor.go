package read

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"pillion.dev/pillion/internal/yaml/lex"
)

// otherBreaks are the line breaks that only the library takes for such: a carriage return alone, NEL, LS and PS. Those that replace them
// have the same size.
var otherBreaks = strings.NewReplacer("\r\n", "\r\n", "\r", "\n", "\u0085", " \n", "\u2028", "  \n", "\u2029", "  \n")

// HasOtherBreaks reports whether a text has line breaks that only the library takes for such.
func HasOtherBreaks(text []byte) bool { return otherBreaks.Replace(shared(text)) != shared(text) }

// cursor is a position in a text, as the library counts lines. It goes to positions in their order without counting anything twice.
type cursor struct {
	text                        []byte
	line, column, start, offset int
}

func newCursor(text []byte) cursor {
	c := cursor{text: []byte(otherBreaks.Replace(shared(text)))}
	c.rewind()
	return c
}

// rewind goes to the first line.
func (c *cursor) rewind() {
	*c = cursor{text: c.text, line: 1}
	if bytes.HasPrefix(c.text, []byte(lex.ByteOrderMark)) {
		c.start = len(lex.ByteOrderMark)
	}
}

// move goes to a line and a column, from 1, and returns the offset there, or -1 if the text has no such position.
func (c *cursor) move(line, column int) int {
	if line < c.line {
		c.rewind()
	}
	for ; c.line < line; c.line++ {
		next := lex.NextLine(c.text, c.start)
		if next == len(c.text) && !bytes.HasSuffix(c.text, []byte{'\n'}) || next == c.start {
			return -1
		}
		c.start, c.column = next, 0
	}
	if c.column == 0 || column < c.column {
		c.column, c.offset = 1, c.start
	}
	for ; c.column < column; c.column++ {
		if c.offset >= len(c.text) {
			return -1
		}
		_, size := utf8.DecodeRune(c.text[c.offset:])
		c.offset += size
	}
	return c.offset
}
