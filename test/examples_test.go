package test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pillion.dev/pillion/test/example"
	"pillion.dev/pillion/test/golden"
	"pillion.dev/pillion/test/resourcelist"
)

// TestExamples runs every example directly, with kustomize and with kpt, each twice, and compares the results with its
// .expected directory.
func TestExamples(t *testing.T) {
	for _, dir := range exampleDirs(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			e, err := example.Load(dir)
			if err != nil {
				t.Fatal(err)
			}
			t.Run("function", func(t *testing.T) { runAsFunction(t, e) })
			t.Run("kustomize", func(t *testing.T) { runThroughKustomize(t, e) })
			t.Run("kpt", func(t *testing.T) { runThroughKpt(t, e) })
		})
	}
}

// exampleDirs returns the directories of the examples, except that of the presets, which TestPresets runs.
func exampleDirs(t *testing.T) []string {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(root, "examples"))
	if err != nil {
		t.Fatal(err)
	}
	var dirs []string
	for _, entry := range entries {
		if entry.IsDir() && entry.Name() != "presets" {
			dirs = append(dirs, filepath.Join(root, "examples", entry.Name()))
		}
	}
	return dirs
}

func runAsFunction(t *testing.T, e *example.Example) {
	first := run(t, "", e.ResourceList(), "pillion")
	golden.Check(t, e.Expected("stderr.txt"), first.stderr)
	if fails(t, e) {
		if first.exitCode != 1 {
			t.Errorf("exit code %d, want 1", first.exitCode)
		}
		sameItems(t, "a refused stream keeps its items", e.Items, first.stdout)
		return
	}
	if first.exitCode != 0 {
		t.Fatalf("exit code %d:\n%s", first.exitCode, first.stderr)
	}
	items := itemsOf(t, first.stdout)
	golden.Check(t, e.Expected("function.yaml"), resourcelist.Join(items))

	second := mustRun(t, "", resourcelist.Wrap(items, e.FunctionConfig), "pillion")
	sameItems(t, "a second run changes nothing", items, second.stdout)
}

func runThroughKustomize(t *testing.T, e *example.Example) {
	pkg := copyPackage(t, e.Dir)
	build := func() result {
		return run(t, pkg, "", kustomize(t), "build", "--enable-alpha-plugins", "--enable-exec", e.Build)
	}
	first := build()
	if fails(t, e) {
		if first.exitCode == 0 || first.stdout != "" {
			t.Errorf("exit code %d, want another than 0 and nothing built:\n%s", first.exitCode, first.stdout)
		}
		showsEveryError(t, e, first.stderr)
		return
	}
	if first.exitCode != 0 {
		t.Fatalf("exit code %d:\n%s", first.exitCode, first.stderr)
	}
	golden.Check(t, e.Expected("kustomize.yaml"), first.stdout)
	if diff := cmp.Diff(first.stdout, build().stdout); diff != "" {
		t.Errorf("the second build differs (-first +second):\n%s", diff)
	}

	built := resourcelist.Documents(first.stdout)
	again := mustRun(t, "", resourcelist.Wrap(built, e.FunctionConfig), "pillion")
	sameItems(t, "the function changes nothing in what was built", built, again.stdout)
}

func runThroughKpt(t *testing.T, e *example.Example) {
	kpt := tool(t, "kpt")
	pkg := copyPackage(t, e.Dir)
	gitRepository(t, pkg)

	first := run(t, pkg, "", kpt, "fn", "render", "--allow-exec", "--truncate-output=false")
	if fails(t, e) {
		if first.exitCode == 0 {
			t.Errorf("exit code 0, want another:\n%s", first.stderr)
		}
		showsEveryError(t, e, first.stderr)
		if diff := gitDiff(t, pkg); diff != "" {
			t.Errorf("a refused package was changed:\n%s", diff)
		}
		return
	}
	if first.exitCode != 0 {
		t.Fatalf("exit code %d:\n%s", first.exitCode, first.stderr)
	}
	diff := gitDiff(t, pkg)
	golden.Check(t, e.Expected("kpt.diff"), diff)

	mustRun(t, pkg, "", kpt, "fn", "render", "--allow-exec")
	if twice := cmp.Diff(diff, gitDiff(t, pkg)); twice != "" {
		t.Errorf("the second render differs (-first +second):\n%s", twice)
	}
}

// fails reports whether an example is refused: its `.expected/exitcode` contains 1.
func fails(t *testing.T, e *example.Example) bool {
	t.Helper()
	code, err := os.ReadFile(e.Expected("exitcode"))
	if errors.Is(err, fs.ErrNotExist) {
		return false
	}
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(code)) == "1"
}

// errorAndObject matches the part of an error line that is the same for all tools. The rest may contain files, which
// only kpt reports, and fields, which kustomize sorts.
var errorAndObject = regexp.MustCompile(`(?m)^error (\w+: [^ :]+)`)

// showsEveryError checks that a tool prints the errors that Pillion prints when it runs directly.
func showsEveryError(t *testing.T, e *example.Example, said string) {
	t.Helper()
	for _, found := range errorAndObject.FindAllStringSubmatch(readFile(t, e.Expected("stderr.txt")), -1) {
		if !strings.Contains(said, found[1]) {
			t.Errorf("%q is not shown:\n%s", found[1], said)
		}
	}
}

func itemsOf(t *testing.T, list string) []string {
	t.Helper()
	items, err := resourcelist.Items(list)
	if err != nil {
		t.Fatalf("%v:\n%s", err, list)
	}
	return items
}

func sameItems(t *testing.T, claim string, want []string, list string) {
	t.Helper()
	if diff := cmp.Diff(resourcelist.Join(want), resourcelist.Join(itemsOf(t, list))); diff != "" {
		t.Errorf("%s (-want +got):\n%s", claim, diff)
	}
}

// copyPackage copies a directory, without the expected results, to a temporary directory.
func copyPackage(t *testing.T, dir string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), filepath.Base(dir))
	if err := os.CopyFS(to, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(to, example.ExpectedDir)); err != nil {
		t.Fatal(err)
	}
	return to
}
