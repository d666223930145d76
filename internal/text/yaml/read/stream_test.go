package read_test

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"pillion.dev/pillion/internal/text/yaml/read"
)

// resourceList returns the list of the project's benchmark with n workloads of three resources each, and where its
// first dash is.
func resourceList(t testing.TB, n int) (text []byte, first int) {
	t.Helper()
	workload, err := os.ReadFile("../../../../test/bench/workload.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var items strings.Builder
	for document := range strings.SplitSeq(string(workload), "---\n") {
		items.WriteString("- " + strings.TrimSuffix(strings.ReplaceAll(document, "\n", "\n  "), "  "))
	}
	head := "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n"
	b := bytes.NewBufferString(head)
	for i := range n {
		b.WriteString(strings.ReplaceAll(items.String(), "NUMBER", fmt.Sprint(i)))
	}
	b.WriteString("functionConfig:\n  kind: SidecarInjector\n")
	return b.Bytes(), len(head)
}

// readEntries reads the entries of a list one after the other, and returns how many there are.
func readEntries(t testing.TB, arena *read.Arena, text []byte, at int) (count int) {
	for {
		entry, ok := arena.Entry(text, at)
		if !ok || !entry.Sure {
			t.Fatalf("the entry at %d is not read", at)
		}
		arena.Reset()
		count++
		if at = entry.Next; entry.Column != 0 || text[at] != '-' {
			return count
		}
	}
}

func TestEntriesAreReadOneAfterTheOther(t *testing.T) {
	text, first := resourceList(t, 2)
	if got := readEntries(t, new(read.Arena), text, first); got != 6 {
		t.Errorf("got %d entries, want 6", got)
	}
	document, err := read.Document(text)
	if err != nil {
		t.Fatal(err)
	}
	arena := new(read.Arena)
	for _, want := range document.Content[0].Content[5].Content {
		dash := bytes.LastIndexByte(text[:want.Start], '-')
		got, ok := arena.Entry(text, dash)
		if !ok || got.Node.Start != want.Start || got.Node.End != want.End || len(got.Node.Content) != len(want.Content) {
			t.Errorf("the entry at %d is read otherwise than in its document: %+v", dash, got)
		}
	}
}

// BenchmarkEntries reads the 15,000 resources of the project's benchmark:
//
//	go test -bench Entries ./internal/text/yaml/read
func BenchmarkEntries(b *testing.B) {
	text, first := resourceList(b, 5000)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	arena := new(read.Arena)
	for b.Loop() {
		readEntries(b, arena, text, first)
	}
}
