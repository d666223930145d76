package files

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestNothingIsReplacedIfAFileHasChanged has somebody save the last of two files after the new texts are staged: then
// the first one is not replaced either, not even for a moment.
func TestNothingIsReplacedIfAFileHasChanged(t *testing.T) {
	dir := t.TempDir()
	var changes []Change
	for _, name := range []string{"a", "b"} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
			t.Fatal(err)
		}
		changes = append(changes, Change{Path: path, Before: []byte("old"), After: []byte("new")})
	}
	staged, err := stageAll(t.Context(), changes)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(changes[1].Path, []byte("edited"), 0o600); err != nil {
		t.Fatal(err)
	}
	renamed := rename
	defer func() { rename = renamed }()
	rename = func(from, to string) error {
		t.Errorf("%s is replaced", to)
		return renamed(from, to)
	}
	err = replaceAll(changes, staged)
	if err == nil || !strings.Contains(err.Error(), "b cannot be written, so no file was: it has changed since it was read") {
		t.Errorf("got %v", err)
	}
}
