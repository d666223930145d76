package manifest

import (
	"io"
	"maps"
	"slices"

	"pillion.dev/pillion/internal/edit"
)

// Write writes the stream. Every byte stays as it is, except the items that changed, by index.
func (s *Stream) Write(w io.Writer, changed map[int][]byte) error {
	return edit.Write(w, s.text, s.edits(changed))
}

// WriteResults writes a ResourceList like Write, with the text of results at their place.
func (s *Stream) WriteResults(w io.Writer, changed map[int][]byte, place ResultsPlace, results []byte) error {
	edits := append(s.edits(changed), edit.Edit{Start: place.start, End: place.end, Text: results})
	slices.SortStableFunc(edits, func(a, b edit.Edit) int { return a.Start - b.Start })
	return edit.Write(w, s.text, edits)
}

// edits returns the edits that replace the items that changed, by index.
func (s *Stream) edits(changed map[int][]byte) []edit.Edit {
	edits := make([]edit.Edit, 0, len(changed)+1)
	for _, index := range slices.Sorted(maps.Keys(changed)) {
		item := &s.Items[index]
		edits = append(edits, edit.Edit{Start: item.start, End: item.start + len(item.Text), Text: changed[index]})
	}
	return edits
}
