package manifest

import (
	"context"
	"io"
	"slices"

	"pillion.dev/pillion/internal/text/edit"
	"pillion.dev/pillion/internal/work/parallel"
)

// Write writes the stream with its edits.
func (s *Stream) Write(w io.Writer, edits []edit.Edit) error { return edit.Write(w, s.text, edits) }

// WriteResults writes a ResourceList like Write, with the text of results, in pieces, at their position. Edits at the same
// position come first: they end an item. The results are made while the items are written, which takes as long.
func (s *Stream) WriteResults(w io.Writer, edits []edit.Edit, position ResultsPosition, results func() [][]byte) error {
	at, _ := slices.BinarySearchFunc(edits, position.start+1, func(e edit.Edit, start int) int { return e.Start - start })
	var pieces [][]byte
	var err error
	parallel.Do(context.Background(), 2, func(i int) {
		if i == 0 {
			err = edit.Write(w, s.text[:position.start], edits[:at])
		} else {
			pieces = results()
		}
	})
	if err != nil {
		return err
	}
	for _, piece := range pieces {
		if _, err := w.Write(piece); err != nil {
			return err
		}
	}
	return edit.Write(w, s.text[position.end:], edit.Shift(edits[at:], -position.end))
}
