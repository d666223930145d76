package test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// written remembers the golden files of this run: whoever comes second to one must agree with the first.
var written = map[string]bool{}

// golden compares with a file, or writes it when the tests run with -update.
func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update && !written[path] {
		written[path] = true
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; `go test ./test -update` writes it", err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("not what %s says (-want +got):\n%s", path, diff)
	}
}
