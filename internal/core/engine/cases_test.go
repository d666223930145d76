package engine_test

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/engine"
	"pillion.dev/pillion/internal/core/outcome"
)

var update = flag.Bool("update", false, "rewrite what the cases in testdata want")

// TestCases runs every case in testdata: a config and items, what becomes of the items (left
// out where they must stay as they are), and everything that is said.
func TestCases(t *testing.T) {
	eachArchive(t, "testdata/*.txtar", checkCase)
}

func checkCase(t *testing.T, file string, archive *txtar.Archive) {
	t.Helper()
	c := parseCase(t, archive)
	items, says := run(t, c.config, c.items)
	if *update {
		c.write(t, file, archive.Comment, items, says)
		return
	}
	if diff := cmp.Diff(c.want, items); diff != "" {
		t.Errorf("items (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(c.says, says); diff != "" {
		t.Errorf("said (-want +got):\n%s", diff)
	}
	again, saysAgain := run(t, c.config, items)
	if again != items {
		t.Errorf("a second run changes the items (-first +second):\n%s", cmp.Diff(items, again))
	}
	if strings.Contains(saysAgain, "Injected") {
		t.Errorf("a second run says that it injects:\n%s", saysAgain)
	}
	if strings.Contains("\n"+says, "\nerror ") != strings.Contains("\n"+saysAgain, "\nerror ") {
		t.Errorf("a second run does not succeed or fail as the first:\n%s", saysAgain)
	}
	if diff := cmp.Diff(keptIn(says), keptIn(saysAgain)); diff != "" {
		t.Errorf("a second run does not report the same as kept (-first +second):\n%s", diff)
	}
	switch diff := c.undo(t, items); {
	case diff != "" && !leavesOutUndo(archive):
		t.Errorf("removing does not give the items back (-before +after):\n%s", diff)
	case diff == "" && leavesOutUndo(archive):
		t.Error("the header is wrong: removing gives the items back")
	}
}

// eachArchive runs a test for each of the files that hold cases, by its name.
func eachArchive(t *testing.T, glob string, test func(t *testing.T, file string, archive *txtar.Archive)) {
	t.Helper()
	files, err := filepath.Glob(glob)
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases at %s: %v", glob, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			test(t, file, archive)
		})
	}
}

type testCase struct{ config, items, want, says string }

// TestFewCasesLeaveOutUndo counts the cases whose items removing does not give back. Their header has a line with the
// reason.
func TestFewCasesLeaveOutUndo(t *testing.T) {
	const want = 5
	without := 0
	eachArchive(t, "testdata/*.txtar", func(_ *testing.T, _ string, archive *txtar.Archive) {
		if leavesOutUndo(archive) {
			without++
		}
	})
	if without != want {
		t.Errorf("%d cases leave out the undo instead of %d", without, want)
	}
}

func leavesOutUndo(archive *txtar.Archive) bool {
	return strings.Contains(string(archive.Comment), "\nundo: none, because ")
}

// undo removes what a case injects, and returns how the result differs from its items, or from what they are without an
// injector's things where they have some already.
func (c testCase) undo(t *testing.T, items string) string {
	t.Helper()
	bare := c.items
	if strings.Contains(bare, "pillion.dev/injected-") || strings.Contains(c.config, "adopt: true") {
		bare = removed(t, c.config, bare)
	}
	return cmp.Diff(bare, removed(t, c.config, items))
}

// removed returns the items without what the injectors of a config inject.
func removed(t *testing.T, config, items string) string {
	t.Helper()
	injectors, _ := engine.ReadConfig(finding.Source{Text: []byte(config)})
	result, err := engine.Apply(context.Background(), injectors.Removing(), finding.Source{Text: []byte(items)})
	if err != nil {
		t.Fatal(err)
	}
	if after := result.Texts[0]; after != nil {
		return string(after)
	}
	return items
}

func parseCase(t *testing.T, archive *txtar.Archive) testCase {
	t.Helper()
	var c testCase
	hasWant := false
	for _, f := range archive.Files {
		switch f.Name {
		case "config":
			c.config = string(f.Data)
		case "items":
			c.items = string(f.Data)
		case "want":
			c.want, hasWant = string(f.Data), true
		case "says":
			c.says = string(f.Data)
		default:
			t.Fatalf("unknown section %q", f.Name)
		}
	}
	if !hasWant {
		c.want = c.items
	}
	return c
}

func (c testCase) write(t *testing.T, file string, comment []byte, items, says string) {
	t.Helper()
	archive := &txtar.Archive{Comment: comment, Files: []txtar.File{
		{Name: "config", Data: []byte(c.config)},
		{Name: "items", Data: []byte(c.items)},
	}}
	if items != c.items {
		archive.Files = append(archive.Files, txtar.File{Name: "want", Data: []byte(items)})
	}
	archive.Files = append(archive.Files, txtar.File{Name: "says", Data: []byte(says)})
	if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
		t.Fatal(err)
	}
}

// run wraps the documents into a ResourceList, runs the function, and unwraps them again.
func run(t *testing.T, config, items string) (out, says string) {
	t.Helper()
	var reply bytes.Buffer
	r, err := engine.Run(context.Background(), []byte(wrap(config, items)), &reply)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range r.Workloads {
		if w.IsWritten && !slices.ContainsFunc(w.Outcomes, func(o *outcome.Outcome) bool {
			return o.Decision.IsChange() &&
				len(o.Changes) > 0
		}) {
			t.Errorf("%s is written, and no outcome has a change: %+v", w.Object, w.Outcomes)
		}
	}
	var said strings.Builder
	for _, f := range r.Findings() {
		said.WriteString(f.String() + "\n")
	}
	said.WriteString(r.Counts().String() + "\n")
	return unwrap(reply.String()), said.String()
}

func wrap(config, items string) string {
	var b strings.Builder
	b.WriteString("apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n")
	if config != "" {
		b.WriteString("functionConfig:\n" + indent(config, "  "))
	}
	b.WriteString("items:\n")
	for document := range strings.SplitSeq(items, "---\n") {
		b.WriteString("- " + strings.TrimPrefix(indent(document, "  "), "  "))
	}
	return b.String()
}

func unwrap(list string) string {
	_, items, _ := strings.Cut(list, "\nitems:\n")
	items, _, _ = strings.Cut(items, "\nresults:\n")
	items = strings.TrimSuffix(items, "\n") + "\n"
	var b strings.Builder
	for line := range strings.Lines(items) {
		switch {
		case strings.HasPrefix(line, "- ") && b.Len() > 0:
			b.WriteString("---\n" + line[2:])
		case strings.HasPrefix(line, "- "), strings.HasPrefix(line, "  "):
			b.WriteString(line[2:])
		default:
			b.WriteString(line)
		}
	}
	return b.String()
}

func indent(text, by string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) != "" {
			b.WriteString(by)
		}
		b.WriteString(line)
	}
	return b.String()
}
