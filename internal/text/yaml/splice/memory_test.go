package splice

import (
	"bytes"
	"testing"

	"pillion.dev/pillion/internal/text/edit"
	"pillion.dev/pillion/internal/text/yaml/read"
)

// TestEditsDoNotShareMemory keeps edits over many other splices, which use the same memory.
func TestEditsDoNotShareMemory(t *testing.T) {
	type result struct {
		text, spliced []byte
		edits         []edit.Edit
	}
	var results []result
	for _, text := range corpus(t) {
		for action := range byte(5) {
			arena := new(read.Arena)
			before := readIn(arena, text)
			after := readIn(new(read.Arena), text)
			act(t, collectionsIn(after, nil)[len(collectionsIn(after, nil))/2], action)
			if edits, err := Edits(text, before, after, Past{}); err == nil {
				results = append(results, result{text, edit.Apply(text, edits), edits})
			}
		}
	}
	for _, r := range results {
		if again := edit.Apply(r.text, r.edits); !bytes.Equal(again, r.spliced) {
			t.Errorf("the edits of %q gave %q at first, and now %q", r.text, r.spliced, again)
		}
	}
	if len(results) < 50 {
		t.Errorf("only %d texts are spliced", len(results))
	}
}
