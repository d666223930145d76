package read

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"testing"
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
	const longest = 700 // so that many texts are tried
	var texts []string
	for _, s := range append(snippets, valueSnippets...) {
		texts = append(texts, s.text)
	}
	for _, text := range manifests(t) {
		texts = append(texts, string(text[:min(len(text), longest)]))
	}
	slices.Sort(texts)
	random := rand.New(rand.NewPCG(1, 2))
	accepted := 0
	for range tries {
		text := texts[random.IntN(len(texts))]
		for range 1 + random.IntN(3) {
			text = mutated(random, text)
		}
		if checkSure(t, []byte(text)) {
			accepted++
		} else if !json.Valid([]byte(text)) { // JSON is read by its own rules
			checkDocument(t, []byte(text))
		}
	}
	t.Logf("%d of %d accepted", accepted, tries)
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
