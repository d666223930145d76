package manifest

import (
	"io"
	"slices"

	"pillion.dev/pillion/internal/edit"
)

// Write writes the stream with its edits.
func (s *Stream) Write(w io.Writer, edits []edit.Edit) error { return edit.Write(w, s.text, edits) }

// Apply returns the text of the stream with its edits.
func (s *Stream) Apply(edits []edit.Edit) []byte { return edit.Apply(s.text, edits) }

// WriteResults writes a ResourceList like Write, with the text of results, in pieces, at their place. Edits at the same place
// come first: they end an item.
func (s *Stream) WriteResults(w io.Writer, edits []edit.Edit, place ResultsPlace, results ...[]byte) error {
	at, _ := slices.BinarySearchFunc(edits, place.start+1, func(e edit.Edit, start int) int { return e.Start - start })
	added := make([]edit.Edit, 0, len(results))
	for _, piece := range results {
		added = append(added, edit.Edit{Start: place.start, End: place.end, Text: piece})
		place.start = place.end // the first piece replaces what is there
	}
	return edit.Write(w, s.text, slices.Insert(edits, at, added...))
}
