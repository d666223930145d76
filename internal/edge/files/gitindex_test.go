package files

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestTheIndexOfGitHasWhatIsTracked compares with what git writes, in all forms.
func TestTheIndexOfGitHasWhatIsTracked(t *testing.T) {
	for name, test := range map[string]struct {
		setUp   func(r repository)
		unknown bool
	}{
		"version 2":         {setUp: func(repository) {}},
		"version 3":         {setUp: func(r repository) { r.git(t, "", "add", "-N", "-f", "new.yaml") }},
		"extensions":        {setUp: func(r repository) { r.git(t, "", "write-tree"); r.git(t, "", "update-index", "--untracked-cache") }},
		"version 4":         {setUp: func(r repository) { r.git(t, "", "update-index", "--index-version", "4") }, unknown: true},
		"a split index":     {setUp: func(r repository) { r.git(t, "", "update-index", "--split-index") }, unknown: true},
		"no index":          {setUp: func(r repository) { r.remove(t, ".git/index") }, unknown: true},
		"an empty index":    {setUp: func(r repository) { r.write(t, ".git/index", "") }, unknown: true},
		"half of an index":  {setUp: func(r repository) { r.write(t, ".git/index", r.read(t, ".git/index")[:200]) }, unknown: true},
		"another signature": {setUp: func(r repository) { r.write(t, ".git/index", "X"+r.read(t, ".git/index")[1:]) }, unknown: true},
		"a worktree": {setUp: func(r repository) {
			r.git(t, "", "config", "core.worktree", string(r))
			if err := os.Rename(filepath.Join(string(r), ".git"), filepath.Join(string(r), "moved")); err != nil {
				t.Fatal(err)
			}
			r.write(t, ".git", "gitdir: moved\n")
		}},
	} {
		r := newRepository(t)
		for _, file := range []string{".gitignore", "a.yaml", "Deep/er/b.yaml", "é.yaml", "new.yaml"} {
			r.write(t, file, "*\n")
		}
		r.git(t, "", "add", "-f", "a.yaml", "Deep/er/b.yaml", "é.yaml")
		test.setUp(r)
		index := readGitIndex(string(r))
		if (index == nil) != test.unknown {
			t.Errorf("%s: the index is read: %t", name, index != nil)
		}
		for _, file := range []string{"a.yaml", "deep/ER/b.yaml", "Deep/er", "Deep", "é.yaml"} {
			if !index.tracks(filepath.ToSlash(filepath.Join(string(r), file))) {
				t.Errorf("%s: %s is not tracked", name, file)
			}
		}
		for _, file := range []string{"b.yaml", "Deep/er/a.yaml", "Dee", ".gitignore"} {
			if index.tracks(filepath.ToSlash(filepath.Join(string(r), file))) != test.unknown {
				t.Errorf("%s: %s is tracked", name, file)
			}
		}
	}
}

// TestHashesOfTheOtherLengthAreNotTakenForNames checks that an index of a repository with SHA-256 is not read as one
// with SHA-1.
func TestHashesOfTheOtherLengthAreNotTakenForNames(t *testing.T) {
	r := repository(t.TempDir())
	r.git(t, "", "init", "-q", "--object-format=sha256")
	r.write(t, "a.yaml", "a: 1\n")
	r.write(t, "b.yaml", "b: 1\n")
	r.git(t, "", "add", "a.yaml", "b.yaml")
	if index := readGitIndex(string(r)); index != nil {
		t.Errorf("it is read as %v", index.tracked)
	}
}

func TestAnIndexThatEndsAnywhereIsNoPanic(t *testing.T) {
	r := newRepository(t)
	r.write(t, "a.yaml", "a: 1\n")
	r.git(t, "", "add", "a.yaml")
	text := []byte(r.read(t, ".git/index"))
	for end := range text {
		new(gitIndex{tracked: map[string]bool{}}).add(slices.Clone(text[:end]))
	}
}

func (r repository) read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(string(r), name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func (r repository) remove(t *testing.T, name string) {
	t.Helper()
	if err := os.Remove(filepath.Join(string(r), name)); err != nil {
		t.Fatal(err)
	}
}
