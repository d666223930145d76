package manifest

import (
	"io"
	"iter"
	"maps"
	"slices"

	"go.yaml.in/yaml/v3"
)

// replacement is new text for a range of the stream.
type replacement struct {
	span
	text []byte
}

// Write puts the stream together: every byte as it came, but for the items that changed, by
// index, and the results, which a ResourceList gets where there are any. Results come one by
// one, so that not all of them are nodes at once.
func (s *Stream) Write(w io.Writer, changed map[int][]byte, results iter.Seq[*yaml.Node]) error {
	replacements := make([]replacement, 0, len(changed)+1)
	for _, index := range slices.Sorted(maps.Keys(changed)) {
		item := &s.Items[index]
		replacements = append(replacements, replacement{
			span: span{item.start, item.start + len(item.Text)},
			text: changed[index],
		})
	}
	if s.ResourceList && results != nil && !isEmpty(results) {
		r, err := s.resultsReplacement(results)
		if err != nil {
			return err
		}
		replacements = append(replacements, r)
		slices.SortStableFunc(replacements, func(a, b replacement) int { return a.start - b.start })
	}
	return writeAround(w, s.text, replacements)
}

func isEmpty(results iter.Seq[*yaml.Node]) bool {
	for range results {
		return false
	}
	return true
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
