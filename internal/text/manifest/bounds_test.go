package manifest

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// Text that nests, declares or merges too much is an error, and is found to be one soon.
func TestReadRefusesWhatIsTooMuch(t *testing.T) {
	var merges strings.Builder
	merges.WriteString("kind: List\nitems:\n- a: &a0 {b: c}\n")
	for i := range 20 {
		fmt.Fprintf(&merges, "  a%d: &a%d {<<: [%s]}\n", i+1, i+1, strings.Repeat(fmt.Sprintf("*a%d, ", i), 10))
	}
	merges.WriteString("  <<: *a20\n")
	for name, text := range map[string]string{
		"lists in lists":            strings.Repeat("{kind: List, items: [", 1<<16),
		"lists in lists over lines": "kind: List\nitems:\n" + strings.Repeat("- kind: List\n  items: [{kind: List, items: [", 300),
		"directives":                strings.Repeat("%TAG !a! b\n", 60_000) + "---\nkind: Pod\n",
		"merge keys":                merges.String(),
	} {
		t.Run(name, func(t *testing.T) {
			stream, err := Read([]byte(text))
			if err == nil {
				_, _, err = stream.Items[0].Parse()
			}
			if err == nil {
				t.Error("it is read")
			}
		})
	}
}

func TestPositionsAreCountedInAnyOrder(t *testing.T) {
	text := []byte("a\nbé, c\n\nd")
	counter := lineCounter{text: text}
	for _, offset := range []int{10, 0, 2, 1, 7, 11, 5, 4, 6, 3, 2, 9, 8} {
		before := string(text[:offset])
		if got, want := counter.lineAt(offset), 1+strings.Count(before, "\n"); got != want {
			t.Errorf("offset %d is on line %d, want %d", offset, got, want)
		}
		if offset == 4 {
			continue // within a character
		}
		want := 1 + utf8.RuneCountInString(before[strings.LastIndex(before, "\n")+1:])
		if _, got := counter.positionOf(offset); got != want {
			t.Errorf("offset %d is in column %d, want %d", offset, got, want)
		}
	}
}

// The time for these texts would grow with the square of their size if lines were counted from the start for each
// object, or if each level were parsed alone. At 100 times these sizes, that shows.
func TestReadManyObjectsThatAreParsed(t *testing.T) {
	unclear := strings.Repeat("{kind: A, kind: A, items: [", 90) + "{a: [" + strings.Repeat("abc, ", 50_000) + "]}" + strings.Repeat("]}", 90)
	var manyKeys, manyMerges strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&manyKeys, "k%d: 1\n", i)
		fmt.Fprintf(&manyMerges, "k%d: 1\n<<: *x\n", i)
	}
	for name, text := range map[string]string{
		"a list with many keys":        "kind: List\nitems: []\n" + manyKeys.String(),
		"many merge keys":              "kind: A\nx: &x\n  a: 1\n" + manyMerges.String(),
		"members with a repeated kind": "kind: List\nitems:\n" + strings.Repeat("- kind: A\n  kind: B\n", 5_000),
		"documents that are parsed":    strings.Repeat("kind: &a Pod\n---\n", 5_000),
		"lists without items":          strings.Repeat("kind: List\napiVersion: v1\n---\n", 5_000),
		"members with a repeated key":  "kind: List\nitems:\n" + strings.Repeat("- kind: A\n  a: 1\n  a: 2\n", 20_000),
		"the same on one line":         "{kind: List, items: [" + strings.Repeat("{kind: A, a: 1, a: 2},", 20_000) + "]}",
		"aliases of a large member": "kind: List\nitems:\n- kind: A\n  a: &x [" + strings.Repeat("1,", 90_000) + "]\n" +
			strings.Repeat("- {kind: A, a: *x}\n", 20_000),
		"objects in unclear objects": "{kind: List, items: [" + unclear + "]}",
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := Read([]byte(text)); err != nil {
				t.Error(err)
			}
		})
	}
}
