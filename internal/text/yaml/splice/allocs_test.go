//go:build !race

// The race detector takes memory out of pools at random.

package splice

import (
	"testing"

	"pillion.dev/pillion/internal/text/yaml/node"
	"pillion.dev/pillion/internal/text/yaml/read"
)

// TestASpliceHardlyAllocates counts the allocations for one new entry: its text, and the edits.
func TestASpliceHardlyAllocates(t *testing.T) {
	text := []byte("metadata:\n  name: web\nspec:\n  containers:\n  - name: app\n    image: app:1\n  - name: log\n    image: log:1\n")
	arena := read.Borrow()
	before := readIn(arena, text)
	after := sharing(before)
	containers := node.Get(after.Content[0], "spec", "containers")
	containers.Content = append(containers.Content, fresh(t, "name: proxy\nimage: proxy:1\nresources: {limits: {memory: 64Mi}}"))
	count := testing.AllocsPerRun(100, func() {
		if _, err := Edits(text, before, after, Past{}); err != nil {
			t.Fatal(err)
		}
	})
	if count > 5 {
		t.Errorf("%v allocations", count)
	}
}
