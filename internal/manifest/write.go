package manifest

import (
	"io"
	"maps"
	"slices"
)

// replacement is new text for a range of the stream.
type replacement struct {
	span
	text []byte
}

// Write puts the stream together: every byte as it came, but for the items that changed, by
// index, and the results, which a ResourceList gets where there are any.
func (s *Stream) Write(w io.Writer, changed map[int][]byte, results Results) error {
	replacements := make([]replacement, 0, len(changed)+1)
	for _, index := range slices.Sorted(maps.Keys(changed)) {
		item := &s.Items[index]
		replacements = append(replacements, replacement{
			span: span{item.start, item.start + len(item.Text)},
			text: changed[index],
		})
	}
	if s.ResourceList && results.Count > 0 {
		r, err := s.resultsReplacement(results)
		if err != nil {
			return err
		}
		replacements = append(replacements, r)
		slices.SortStableFunc(replacements, func(a, b replacement) int { return a.start - b.start })
	}
	return writeAround(w, s.text, replacements)
}

// writeAround writes the text with its replacements, which are in order.
func writeAround(w io.Writer, text []byte, replacements []replacement) error {
	at := 0
	for _, r := range replacements {
		if _, err := w.Write(text[at:r.start]); err != nil {
			return err
		}
		if _, err := w.Write(r.text); err != nil {
			return err
		}
		at = r.end
	}
	_, err := w.Write(text[at:])
	return err
}
