// Package golden compares the results of tests with files, and writes the files if the tests run with -update.
package golden

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"pillion.dev/pillion/internal/text/edit"
)

var update = flag.Bool("update", false, "write the golden files again instead of comparing with them")

// written are the golden files that this run has written already. Later results must be equal to the first.
var written = map[string]bool{}

// Check compares a result with a file, or writes the file if the tests run with -update.
func Check(t *testing.T, path, got string) {
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
		t.Fatalf("%v; go test with -update writes it", err)
	}
	if string(want) != got {
		t.Errorf("not what %s says (-want +got); go test with -update writes it again:\n%s",
			path, edit.Unified(want, edit.Whole(want, []byte(got)), 1, edit.Context))
	}
}
