// Package edit holds changes of a text as ranges of bytes and the text that replaces them, and shows them as
// a unified diff. Because the changes are known, the diff need not be guessed by comparing two texts.
package edit

import (
	"io"
	"slices"
)

// Edit replaces the bytes from Start to End by Text. Edits of a text are in order and do not overlap.
type Edit struct {
	Start, End int
	Text       []byte
}

// Whole returns the edit that replaces all of a text.
func Whole(before, after []byte) []Edit { return []Edit{{0, len(before), after}} }

// Apply returns the text with its edits.
func Apply(text []byte, edits []Edit) []byte { return Append(nil, text, edits) }

// Append appends the text with its edits.
func Append(dst, text []byte, edits []Edit) []byte {
	dst = slices.Grow(dst, Size(text, edits))
	at := 0
	for _, e := range edits {
		dst = append(append(dst, text[at:e.Start]...), e.Text...)
		at = e.End
	}
	return append(dst, text[at:]...)
}

// Write writes a text with its edits.
func Write(w io.Writer, text []byte, edits []Edit) error {
	at := 0
	for _, e := range edits {
		if _, err := w.Write(text[at:e.Start]); err != nil {
			return err
		}
		if _, err := w.Write(e.Text); err != nil {
			return err
		}
		at = e.End
	}
	_, err := w.Write(text[at:])
	return err
}

// Size returns the size of the text with its edits.
func Size(text []byte, edits []Edit) int {
	size := len(text)
	for _, e := range edits {
		size += len(e.Text) - (e.End - e.Start)
	}
	return size
}

// Shift returns the edits of a text as edits of a larger text that holds it at an offset.
func Shift(edits []Edit, by int) []Edit { return AppendShifted(nil, edits, by) }

// AppendShifted appends what Shift returns to other edits.
func AppendShifted(to, edits []Edit, by int) []Edit {
	to = slices.Grow(to, len(edits))
	for _, e := range edits {
		to = append(to, Edit{Start: e.Start + by, End: e.End + by, Text: e.Text})
	}
	return to
}
