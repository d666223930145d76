package splice

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/edit"
	"pillion.dev/pillion/internal/yaml/lex"
	"pillion.dev/pillion/internal/yaml/node"
	"pillion.dev/pillion/internal/yaml/parse"
)

// corruption makes a wrong edit of a right one.
type corruption struct {
	edit     uint8 // which one
	start    int8  // how far its start is moved
	end      int8
	cut      uint8 // how many bytes of its text are left out
	at       uint8 // where text is inserted into it
	inserted string
}

func (c corruption) of(edits []edit.Edit, size int) []edit.Edit {
	if len(edits) == 0 {
		return nil
	}
	edits = slices.Clone(edits)
	i := int(c.edit) % len(edits)
	low, high := 0, size
	if i > 0 {
		low = edits[i-1].End
	}
	if i+1 < len(edits) {
		high = edits[i+1].Start
	}
	e := &edits[i]
	e.Start = min(max(e.Start+int(c.start), low), high)
	e.End = min(max(e.End+int(c.end), e.Start), high)
	text := e.Text[:len(e.Text)-int(c.cut)%(len(e.Text)+1)]
	at := int(c.at) % (len(text) + 1)
	e.Text = slices.Concat(text[:at], []byte(c.inserted), text[at:])
	return edits
}

// checkReadBacks changes a text at a place, corrupts the edits, and compares what reading back only the edits and reading back
// everything say. It returns that, and whether the former could say it.
func checkReadBacks(t *testing.T, text []byte, action byte, place int, wrong corruption) (same, known bool) {
	arena := new(parse.Arena)
	before := readIn(arena, text)
	if before == nil {
		return false, false
	}
	after := sharing(before)
	collections := collectionsIn(after, nil)
	if len(collections) == 0 {
		return false, false
	}
	act(t, collections[place%len(collections)], action%5)
	edits, err := Restore(text, before, after, Past{Arena: arena})
	if err != nil {
		return false, false
	}
	edits = wrong.of(edits, len(text))
	r := revision{edit.Apply(text, edits), edits, after}
	same, known = r.rereads(arena, before, lex.NewLines(text))
	if err := readsBackAs(nil, r.text, after); known && same != (err == nil) {
		t.Fatalf("from:\n%q\nedited:\n%q\nreading back only the edits says %v, everything says %v", text, r.text, same, err)
	}
	return same, known
}

// sharing returns a copy of the collections of a document, which shares its scalars.
func sharing(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.ScalarNode || n.Kind == yaml.AliasNode {
		return n
	}
	c := node.Clone(n)
	for i := range c.Content {
		c.Content[i] = sharing(c.Content[i])
	}
	return c
}

func readIn(arena *parse.Arena, text []byte) *yaml.Node {
	document, err := arena.Document(text)
	if err != nil || len(document.Content) != 1 {
		return nil
	}
	return document
}

var corruptions = []string{"", "", "", "x", " ", "\n", "#", ": ", "- ", "\t", "\r\n", "\"", "a: b\n", "- a\n", "é", "---\n", "[", "&a "}

func TestBothWaysOfReadingBackAgree(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	accepted, refused := 0, 0
	for _, text := range corpus(t) {
		for _, text := range []string{string(text), strings.ReplaceAll(string(text), "\n", "\r\n"), strings.TrimRight(string(text), "\n")} {
			for range 20 {
				wrong := corruption{
					edit: uint8(random.UintN(4)), start: int8(random.IntN(7) - 3), end: int8(random.IntN(7) - 3), cut: uint8(random.UintN(4)),
					at: uint8(random.UintN(256)), inserted: corruptions[random.IntN(len(corruptions))],
				}
				if random.IntN(2) == 0 {
					wrong.start, wrong.end, wrong.cut = 0, 0, 0
				}
				switch same, known := checkReadBacks(t, []byte(text), byte(random.UintN(5)), random.IntN(1000), wrong); {
				case same:
					accepted++
				case known:
					refused++
				}
			}
		}
	}
	if accepted < 100 || refused < 100 {
		t.Errorf("%d texts are accepted and %d refused, which is too few to compare", accepted, refused)
	}
}

// FuzzReadBack makes wrong edits: the two ways of reading back must agree on each of them.
func FuzzReadBack(f *testing.F) {
	for i, text := range slices.Sorted(valuesOf(corpus(f))) {
		f.Add([]byte(text), byte(i), uint16(3*i), uint8(i), int8(i%5-2), int8(i%3-1), uint8(i%4), uint8(5*i), corruptions[i%len(corruptions)])
	}
	f.Fuzz(func(t *testing.T, text []byte, action byte, place uint16, which uint8, start, end int8, cut, at uint8, inserted string) {
		checkReadBacks(t, text, action, int(place), corruption{which, start, end, cut, at, inserted})
	})
}

func valuesOf(texts map[string][]byte) func(func(string) bool) {
	return func(yield func(string) bool) {
		for _, text := range texts {
			if !yield(string(text)) {
				return
			}
		}
	}
}
