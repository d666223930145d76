package lex

import (
	"bytes"
	"slices"
	"unicode/utf8"
)

// Lines is a text with an index of its lines. A line is given to methods as the offset at which it begins.
type Lines struct {
	Text   []byte
	starts []int
}

// NewLines indexes the lines of a text.
func NewLines(text []byte) Lines { return Lines{}.Reuse(text) }

// Reuse indexes the lines of another text in the same memory. The old index must not be used any more.
func (l Lines) Reuse(text []byte) Lines {
	starts := append(slices.Grow(l.starts[:0], 2+bytes.Count(text, []byte{'\n'})), 0)
	if bytes.HasPrefix(text, []byte(ByteOrderMark)) {
		starts[0] = len(ByteOrderMark)
	}
	for at := starts[0]; ; starts = append(starts, at) {
		size := bytes.IndexByte(text[at:], '\n')
		if size < 0 {
			return Lines{text, starts}
		}
		at += size + 1
	}
}

// Begin returns the offset at which a line begins, by its number, from 1, or that of the last line if there are fewer.
func (l Lines) Begin(number int) int {
	if number < 1 {
		return 0
	}
	return l.starts[min(number, len(l.starts))-1]
}

// index returns the index of the line that holds the offset.
func (l Lines) index(offset int) int {
	line, _ := slices.BinarySearch(l.starts, offset+1)
	return max(line-1, 0) // a byte order mark is before the first line
}

// Number returns the number of the line that holds the offset, from 1.
func (l Lines) Number(offset int) int { return l.index(offset) + 1 }

// Start returns the offset at which the line that holds the offset begins.
func (l Lines) Start(offset int) int { return l.starts[l.index(offset)] }

// Next returns the offset at which the next line begins, or the end of the text.
func (l Lines) Next(offset int) int {
	if line := l.index(offset); line+1 < len(l.starts) {
		return l.starts[line+1]
	}
	return len(l.Text)
}

// Behind returns the first line behind a node that ends at the offset. A block scalar ends where that line begins.
func (l Lines) Behind(end int) int {
	if end > 0 && l.Start(end) == end {
		return end
	}
	return l.Next(end)
}

// Column counts the characters before the offset on its line.
func (l Lines) Column(offset int) int { return utf8.RuneCount(l.Text[l.Start(offset):offset]) }

// BeginsBehind reports whether something other than spaces comes before the offset on its line, such as a dash before a key.
func (l Lines) BeginsBehind(offset int) bool {
	return len(bytes.TrimLeft(l.Text[l.Start(offset):offset], " ")) > 0
}

// IsBlank reports whether only blanks follow on the line of the offset.
func (l Lines) IsBlank(offset int) bool {
	at := SkipBlanks(l.Text, offset)
	return at == len(l.Text) || IsBreak(l.Text[at])
}

// Comment reports whether a line holds only a comment, and how many spaces come before it.
func (l Lines) Comment(line int) (indent int, isComment bool) {
	at := SkipSpaces(l.Text, line)
	return at - line, at < len(l.Text) && l.Text[at] == '#'
}

// BehindComments passes over the lines, from the given one on, that hold only a comment deeper than a column. It returns the next line.
func (l Lines) BehindComments(line, column int) int {
	for line < len(l.Text) {
		if indent, isComment := l.Comment(line); !isComment || indent <= column {
			break
		}
		line = l.Next(line)
	}
	return line
}

// Cursor is a position and its offset. A move to the right on a long line does not count the characters before it again.
type Cursor struct{ line, column, offset int }

// Move goes to a line number and a column and returns the offset there, or -1 if the text has no such position.
func (c *Cursor) Move(l Lines, line, column int) int {
	if line < 1 || line > len(l.starts) {
		return -1
	}
	if line != c.line || column < c.column {
		*c = Cursor{line, 1, l.starts[line-1]}
	}
	for ; c.column < column; c.column++ {
		if c.offset >= len(l.Text) {
			return -1
		}
		_, size := utf8.DecodeRune(l.Text[c.offset:])
		c.offset += size
	}
	return c.offset
}
