package transformers_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"pillion.dev/pillion/internal/text/yaml/read"
	"pillion.dev/pillion/transformers"
)

func TestGetGivesMappingsWithStringsAsKeys(t *testing.T) {
	document, err := read.Document([]byte("metadata:\n  annotations: {8080: a, b: yes, c: [1, {2: d}]}\n"))
	if err != nil {
		t.Fatal(err)
	}
	p := transformers.Pod{Node: document.Content[0]}
	want := any(map[string]any{"8080": "a", "b": true, "c": []any{1, map[string]any{"2": "d"}}})
	if diff := cmp.Diff(want, p.Get("metadata", "annotations")); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
