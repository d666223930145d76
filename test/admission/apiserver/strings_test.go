package apiserver

import (
	"strconv"
	"testing"
	"unicode/utf8"
)

// TestGoQuotesForCEL checks that strconv.Quote writes any text as a string literal of CEL that also fits into a block
// of YAML.
func TestGoQuotesForCEL(t *testing.T) {
	const perPod = 4096
	for first := rune(0); first < 0x11000; first += perPod {
		var runes []rune
		for r := first; r < first+perPod; r++ {
			if utf8.ValidRune(r) {
				runes = append(runes, r)
			}
		}
		if len(runes) == 0 {
			continue // surrogates
		}
		want := string(runes)
		got := mutate(t, plain, mutation{
			expression: `[JSONPatch{op: "add", path: "/metadata/annotations", value: {"a": ` + strconv.Quote(want) + `}}]`,
		})
		if got.Annotations["a"] != want {
			t.Errorf("from %U: %q", first, got.Annotations["a"])
		}
	}
}
