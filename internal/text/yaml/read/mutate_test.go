package read

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"testing"

	"pillion.dev/pillion/internal/text/yaml/node"
)

// mutations are what is inserted into texts.
var mutations = append(slices.Clone(pieces), "&a ", "*a", "!t ", "!!str ", "? ", "<<: ", "\\", "\r", "%", "@",
	"\u2028", "\x7f", "|2\n", "{{", "\ufeff", "&a\n")

// TestMutatedManifestsAreReadAsTheLibraryReadsThem changes manifests and snippets at random places.
func TestMutatedManifestsAreReadAsTheLibraryReadsThem(t *testing.T) {
	tries := 40_000
	if testing.Short() {
		tries = 4_000
	}
	texts := shortTexts(t)
	random := rand.New(rand.NewPCG(1, 2))
	accepted := 0
	for range tries {
		text := texts[random.IntN(len(texts))]
		for range 1 + random.IntN(3) {
			text = mutated(random, text)
		}
		if checkSure(t, []byte(text)) {
			accepted++
		} else if !json.Valid([]byte(text)) {
			checkDocument(t, []byte(text))
		}
		checkJSON(t, []byte(text))
	}
	t.Logf("%d of %d accepted", accepted, tries)
}

// TestEntriesOfMutatedManifestsAreThoseOfTheirList reads the entries of lists one after the other.
func TestEntriesOfMutatedManifestsAreThoseOfTheirList(t *testing.T) {
	tries := 10_000
	if testing.Short() {
		tries = 1_000
	}
	texts, random, compared := shortTexts(t), rand.New(rand.NewPCG(3, 4)), 0
	for range tries {
		text := mutated(random, texts[random.IntN(len(texts))])
		compared += checkEntries(t, []byte("- "+indented(text, "  ")+"\n- b\n"), 0)
		compared += checkEntries(t, []byte("a:\n  - "+indented(text, "    ")+"\n  - b\nc: d\n"), len("a:\n  "))
	}
	t.Logf("%d entries compared", compared)
	if compared < tries {
		t.Errorf("only %d entries", compared)
	}
}

// checkEntries compares the entries of the block list whose first dash is at the offset with the nodes of the document.
func checkEntries(t *testing.T, text []byte, dash int) (compared int) {
	t.Helper()
	document, err := Document(text)
	if err != nil || document.Content[0].IsApproximate {
		return 0
	}
	list := document.Content[0]
	if list.Kind == node.MappingNode {
		list = list.Content[1]
	}
	if list.Kind != node.SequenceNode || list.Style&node.FlowStyle != 0 || int(list.Start) != dash {
		return 0
	}
	column := columnOf(text, dash)
	for i, want := range list.Content {
		got, ok := new(Arena).Entry(text, dash)
		if !ok { // an alias may refer to an anchor before the entry
			return compared
		}
		if !got.Sure && len(text) > mostKeyBytes { // keys that only the library recognises
			return compared
		}
		if got.Node.Start != want.Start || got.Node.End != want.End || got.Sure && !hasAlias(want) && !sameTree(got.Node, want) {
			t.Errorf("%q: the entry at %d is %s from %d to %d, want %s from %d to %d", text, dash,
				show(got.Node), got.Node.Start, got.Node.End, show(want), want.Start, want.End)
			return compared
		}
		isLast := i == len(list.Content)-1
		if follows := got.Column == column && text[got.Next] == '-'; follows == isLast {
			t.Errorf("%q: behind the entry at %d is %d", text, dash, got.Next)
			return compared
		}
		dash = got.Next
		compared++
	}
	return compared
}

// shortTexts returns the beginnings of all snippets and manifests, so that many texts are tried.
func shortTexts(t *testing.T) (texts []string) {
	t.Helper()
	const longest = 700
	for _, s := range append(snippets, valueSnippets...) {
		texts = append(texts, s.text[:min(len(s.text), longest)])
	}
	for _, text := range manifests(t) {
		texts = append(texts, string(text[:min(len(text), longest)]))
	}
	slices.Sort(texts)
	return texts
}

// mutated returns a text with a piece removed, repeated, replaced or inserted.
func mutated(random *rand.Rand, text string) string {
	start := random.IntN(len(text) + 1)
	end := min(len(text), start+random.IntN(8))
	piece := mutations[random.IntN(len(mutations))]
	switch random.IntN(4) {
	case 0:
		return text[:start] + text[end:]
	case 1:
		return text[:end] + text[start:]
	case 2:
		return text[:start] + piece + text[end:]
	}
	return text[:start] + piece + text[start:]
}
