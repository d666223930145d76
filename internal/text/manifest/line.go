package manifest

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// LineError is an error on a line of a stream.
type LineError struct {
	Line   int // from 1
	Column int // from 1; 0 if it is not known
	Err    error
}

func (e *LineError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }

func (e *LineError) Unwrap() error { return e.Err }

func errorAt(line int, format string, args ...any) error {
	return &LineError{Line: line, Err: fmt.Errorf(format, args...)}
}

// errorIn returns an error on the line of an offset.
func errorIn(text []byte, offset int, format string, args ...any) error {
	return errorAt(1+bytes.Count(text[:offset], []byte{'\n'}), format, args...)
}

// lineCounter counts lines and columns from where it counted to the last time. So the positions of many offsets that
// are nearly in order take time in proportion to the text.
type lineCounter struct {
	text   []byte
	at     int
	breaks int // before at
	column int // the number of characters between the last line break and at
}

// lineAt returns the number of the line at an offset, from 1.
func (c *lineCounter) lineAt(offset int) int {
	between, sign := c.text[min(c.at, offset):max(c.at, offset)], 1
	if offset < c.at {
		sign = -1
	}
	if breaks := bytes.Count(between, []byte{'\n'}); breaks > 0 {
		c.breaks += sign * breaks
		c.column = utf8.RuneCount(c.text[bytes.LastIndexByte(c.text[:offset], '\n')+1 : offset])
	} else {
		c.column += sign * utf8.RuneCount(between)
	}
	c.at = offset
	return c.breaks + 1
}

// positionOf returns the line and the column at an offset, from 1.
func (c *lineCounter) positionOf(offset int) (line, column int) {
	line = c.lineAt(offset)
	return line, c.column + 1
}
