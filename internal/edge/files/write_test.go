package files_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pillion.dev/pillion/internal/edge/files"
)

// tree writes files into a new directory and returns it.
func tree(t *testing.T, texts map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range texts {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// holds checks that a directory holds these files and no others.
func holds(t *testing.T, dir string, want map[string]string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		text, err := os.ReadFile(filepath.Join(dir, entry.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if expected, ok := want[entry.Name()]; !ok || string(text) != expected {
			t.Errorf("%s holds %q, want %q", entry.Name(), text, expected)
		}
	}
	if len(entries) != len(want) {
		t.Errorf("there are %d files, want %d", len(entries), len(want))
	}
}

func change(dir, name, before, after string) files.Change {
	return files.Change{Path: filepath.Join(dir, name), Before: []byte(before), After: []byte(after)}
}

func TestAllFilesAreWritten(t *testing.T) {
	dir := tree(t, map[string]string{"a": "1", "b": "2"})
	if err := files.Write(t.Context(), []files.Change{change(dir, "a", "1", "one"), change(dir, "b", "2", "two")}); err != nil {
		t.Fatal(err)
	}
	holds(t, dir, map[string]string{"a": "one", "b": "two"})
}

func TestNothingIsWrittenIfOneFileCannotBe(t *testing.T) {
	ended, end := context.WithCancel(context.Background())
	end()
	tests := map[string]struct {
		ctx    context.Context
		second string
		says   string
	}{
		"changed meanwhile": {t.Context(), "changed", "b cannot be written, so no file was: it has changed since it was read; run again"},
		"grown meanwhile":   {t.Context(), "2", "changed since it was read"},
		"interrupted":       {ended, "22", context.Canceled.Error()},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			dir := tree(t, map[string]string{"a": "1", "b": "22"})
			err := files.Write(test.ctx, []files.Change{change(dir, "a", "1", "one"), change(dir, "b", test.second, "two")})
			if err == nil || !strings.Contains(err.Error(), test.says) {
				t.Errorf("got %v, want %q", err, test.says)
			}
			holds(t, dir, map[string]string{"a": "1", "b": "22"})
		})
	}
}

func TestConcurrentEditsAreNotOverwritten(t *testing.T) {
	const edit = "somebody else's"
	all := func(dir string) []files.Change {
		return []files.Change{change(dir, "a", "1", "one"), change(dir, "b", "2", "two")}
	}
	save := func(t *testing.T, dir string) {
		if err := os.WriteFile(filepath.Join(dir, "b"), []byte(edit), 0o644); err != nil {
			t.Error(err)
		}
	}
	dir := tree(t, map[string]string{"a": "1", "b": "2"})
	defer files.SetRename(func(from, to string) error {
		save(t, dir)
		return os.Rename(from, to)
	})()
	err := files.Write(t.Context(), all(dir))
	if err == nil || !strings.HasSuffix(err.Error(), "b cannot be replaced: it has changed since it was read; run again") {
		t.Errorf("got %v", err)
	}
	holds(t, dir, map[string]string{"a": "1", "b": edit})
}

func TestReplacedFilesAreRestored(t *testing.T) {
	dir := tree(t, map[string]string{"a": "1", "b": "2"})
	defer files.SetRename(func(from, to string) error {
		if filepath.Base(to) == "b" {
			return errors.New("no")
		}
		return os.Rename(from, to)
	})()
	err := files.Write(t.Context(), []files.Change{change(dir, "a", "1", "one"), change(dir, "b", "2", "two")})
	if err == nil || !strings.Contains(err.Error(), "b cannot be replaced") {
		t.Errorf("got %v", err)
	}
	holds(t, dir, map[string]string{"a": "1", "b": "2"})
}

func TestReadOnlyFilesAreNotReplaced(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("needs a user: root may write everything")
	}
	dir := tree(t, map[string]string{"a": "1"})
	if err := os.Chmod(filepath.Join(dir, "a"), 0o444); err != nil {
		t.Fatal(err)
	}
	if err := files.Write(t.Context(), []files.Change{change(dir, "a", "1", "one")}); !errors.Is(err, os.ErrPermission) {
		t.Errorf("got %v", err)
	}
	holds(t, dir, map[string]string{"a": "1"})
}
