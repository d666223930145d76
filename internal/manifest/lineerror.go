package manifest

import "fmt"

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
