package lex

import (
	"bytes"
	"unicode/utf8"
)

// Lines finds the lines of a text. A line is given to methods as the offset at which it begins.
type Lines struct {
	Text []byte
	// start and next are the last line that was found, and the one behind it. Many offsets in a row are on one line,
	// which may be long.
	start, next int
}

// find finds the line that holds the offset.
func (l *Lines) find(offset int) {
	if offset >= l.start && offset < l.next {
		return
	}
	l.start, l.next = 1+bytes.LastIndexByte(l.Text[:offset], '\n'), NextLine(l.Text, offset)
	if l.start == 0 && bytes.HasPrefix(l.Text, []byte(ByteOrderMark)) {
		l.start = len(ByteOrderMark)
	}
}

// Start returns the offset at which the line that holds the offset begins.
func (l *Lines) Start(offset int) int {
	l.find(offset)
	return l.start
}

// Next returns the offset at which the next line begins, or the end of the text.
func (l *Lines) Next(offset int) int {
	l.find(offset)
	return l.next
}

// Behind returns the first line behind a node that ends at the offset. A block scalar ends where that line begins.
func (l *Lines) Behind(end int) int {
	if end > 0 && l.Start(end) == end {
		return end
	}
	return l.Next(end)
}

// Column counts the characters before the offset on its line.
func (l *Lines) Column(offset int) int { return utf8.RuneCount(l.Text[l.Start(offset):offset]) }

// BeginsBehind reports whether something other than spaces comes before the offset on its line, such as a dash before a
// key.
func (l *Lines) BeginsBehind(offset int) bool {
	return len(bytes.TrimLeft(l.Text[l.Start(offset):offset], " ")) > 0
}

// IsBlank reports whether only blanks follow on the line of the offset.
func (l *Lines) IsBlank(offset int) bool {
	at := SkipBlanks(l.Text, offset)
	return at == len(l.Text) || IsBreak(l.Text[at])
}

// Comment reports whether a line holds only a comment, and how many spaces come before it.
func (l *Lines) Comment(line int) (indent int, isComment bool) {
	at := SkipSpaces(l.Text, line)
	return at - line, at < len(l.Text) && l.Text[at] == '#'
}

// BehindComments passes over the lines, from the given one on, that hold only a comment deeper than a column. It
// returns the next line.
func (l *Lines) BehindComments(line, column int) int {
	for line < len(l.Text) {
		if indent, isComment := l.Comment(line); !isComment || indent <= column {
			break
		}
		line = l.Next(line)
	}
	return line
}
