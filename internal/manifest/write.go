package manifest

import (
	"io"
	"iter"
	"slices"

	"pillion.dev/pillion/internal/edit"
)

// Write writes the stream with its edits.
func (s *Stream) Write(w io.Writer, edits []edit.Edit) error { return edit.Write(w, s.text, edits) }

// Apply returns the text of the stream with its edits.
func (s *Stream) Apply(edits []edit.Edit) []byte { return edit.Apply(s.text, edits) }

// WriteResults writes a ResourceList like Write, with the text of results, in pieces, at their place. Edits at the same place
// come first: they end an item.
func (s *Stream) WriteResults(w io.Writer, edits []edit.Edit, place ResultsPlace, results iter.Seq[[]byte]) error {
	at, _ := slices.BinarySearchFunc(edits, place.start+1, func(e edit.Edit, start int) int { return e.Start - start })
	if err := edit.Write(w, s.text[:place.start], edits[:at]); err != nil {
		return err
	}
	for piece := range results {
		if _, err := w.Write(piece); err != nil {
			return err
		}
	}
	return edit.Write(w, s.text[place.end:], edit.Shift(edits[at:], -place.end))
}
