package engine_test

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"pillion.dev/pillion/internal/core/engine"
	"pillion.dev/pillion/internal/text/manifest"
)

// FuzzRun holds the function to its promises on any input: no panic, no item lost, the same
// again, and nothing changed where it failed.
func FuzzRun(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.txtar")
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			f.Fatal(err)
		}
		sections := map[string]string{}
		for _, section := range archive.Files {
			sections[section.Name] = string(section.Data)
		}
		f.Add([]byte(wrap(sections["config"], sections["items"])))
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		before, err := manifest.Read(input)
		var first bytes.Buffer
		r, runErr := engine.Run(context.Background(), input, &first)
		if err != nil || !before.ResourceList {
			if runErr == nil || first.Len() > 0 {
				t.Fatalf("what cannot be read must be an error without output: %v, %d bytes", runErr, first.Len())
			}
			return
		}
		if runErr != nil {
			if !strings.Contains(runErr.Error(), "the results of the ResourceList") { // to which nothing can be added
				t.Fatalf("the stream can be read, and yet: %v", runErr)
			}
			return
		}
		after := read(t, first.Bytes())
		if len(after.Items) != len(before.Items) {
			t.Fatalf("%d items became %d:\n%s", len(before.Items), len(after.Items), first.Bytes())
		}
		if r.Failed() {
			sameItems(t, before, after)
			return
		}
		var second bytes.Buffer
		if r, err := engine.Run(context.Background(), first.Bytes(), &second); err != nil || r.Failed() {
			t.Fatalf("the second run fails: %v %v\n%s", err, r.Findings(), first.Bytes())
		}
		sameItems(t, after, read(t, second.Bytes()))
	})
}

func read(t *testing.T, text []byte) *manifest.Stream {
	t.Helper()
	stream, err := manifest.Read(text)
	if err != nil {
		t.Fatalf("the reply cannot be read: %v\n%s", err, text)
	}
	return stream
}

func sameItems(t *testing.T, a, b *manifest.Stream) {
	t.Helper()
	for i := range a.Items {
		was, is := a.Items[i].Text, b.Items[i].Text
		if !bytes.Equal(was, is) {
			t.Fatalf("item %d changed:\n%q\nto:\n%q", i, a.Items[i].Text, b.Items[i].Text)
		}
	}
}
