// Package edit holds changes of a text as ranges of bytes and the text that replaces them, and shows them as
// a unified diff. Because the changes are known, the diff need not be guessed by comparing two texts.
package edit

import (
	"bytes"
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
func Apply(text []byte, edits []Edit) []byte {
	result, at := make([]byte, 0, Size(text, edits)), 0
	for _, e := range edits {
		result = append(append(result, text[at:e.Start]...), e.Text...)
		at = e.End
	}
	return append(result, text[at:]...)
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

// Known returns edits that give the result: the given ones, or those without the end that was trimmed off
// their result, or else one that replaces the whole text. They do not share the memory of the result.
func Known(text []byte, edits []Edit, result []byte) []Edit {
	if more := Size(text, edits) - len(result); more > 0 {
		edits = trimmed(text, edits, more)
	}
	if !give(text, edits, result) {
		return Whole(text, bytes.Clone(result))
	}
	return edits
}

// give reports whether the edits give the result.
func give(text []byte, edits []Edit, result []byte) bool {
	at := 0
	for _, e := range edits {
		for _, part := range [][]byte{text[at:e.Start], e.Text} {
			if !bytes.HasPrefix(result, part) {
				return false
			}
			result = result[len(part):]
		}
		at = e.End
	}
	return bytes.Equal(result, text[at:])
}

// trimmed returns edits that also remove the last bytes of the result. The given edits end with the text.
func trimmed(text []byte, edits []Edit, count int) []Edit {
	edits = slices.Clone(edits)
	for len(edits) > 0 {
		e := &edits[len(edits)-1]
		if count <= len(e.Text) {
			e.Text = e.Text[:len(e.Text)-count]
			return edits
		}
		count -= len(e.Text)
		e.Text = nil
		before := 0
		if len(edits) > 1 {
			before = edits[len(edits)-2].End
		}
		if e.Start-before >= count {
			e.Start -= count
			return edits
		}
		count -= e.Start - before
		edits = edits[:len(edits)-1]
		if len(edits) > 0 {
			edits[len(edits)-1].End = len(text)
		}
	}
	return edits
}

// Shift returns the edits of a text as edits of a larger text that holds it at an offset.
func Shift(edits []Edit, by int) []Edit {
	shifted := slices.Clone(edits)
	for i := range shifted {
		shifted[i].Start += by
		shifted[i].End += by
	}
	return shifted
}
