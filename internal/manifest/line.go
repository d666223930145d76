package manifest

import (
	"bytes"
	"fmt"
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

// lineCounter counts lines from where it counted to the last time. So the lines of many offsets that are nearly in order take time
// in proportion to the text.
type lineCounter struct {
	text   []byte
	at     int
	breaks int // before at
}

// lineAt returns the number of the line at an offset, from 1.
func (c *lineCounter) lineAt(offset int) int {
	if offset >= c.at {
		c.breaks += bytes.Count(c.text[c.at:offset], []byte{'\n'})
	} else {
		c.breaks -= bytes.Count(c.text[offset:c.at], []byte{'\n'})
	}
	c.at = offset
	return c.breaks + 1
}

// lineAt returns the number of the line at an offset, from 1.
func lineAt(text []byte, offset int) int {
	c := lineCounter{text: text}
	return c.lineAt(offset)
}
