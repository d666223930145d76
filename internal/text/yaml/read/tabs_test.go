package read

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestTabsInBracketsAreReadAsTheLibraryReadsThem puts tabs and line breaks between the tokens of collections in
// brackets, at several depths.
func TestTabsInBracketsAreReadAsTheLibraryReadsThem(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	around := []string{"", "- ", "- - ", "a: ", "a:\n  b: ", "a:\n- ", "a:\n  - b: ", "a:\n    ", "- a:\n    b:\n     "}
	spaces := []string{"", "", " ", "\n", "\n\t", "\t", "\n  \t", "\n    \t\t", " \t ", "\n \t # c\n", "\r\n   \t", "\n\n\t\n", "\n     \t"}
	values := []string{"x", "1", `"y"`, "'z'", "true", "[]", "x y", "\"p\n\tq\"", `"é"`, "é"}
	accepted := 0
	for range 30_000 {
		var text strings.Builder
		add := func(tokens ...string) {
			for _, token := range tokens {
				text.WriteString(token)
				text.WriteString(spaces[random.IntN(len(spaces))])
			}
		}
		text.WriteString(around[random.IntN(len(around))])
		value := func() string { return values[random.IntN(len(values))] }
		add("{", `"k"`+":", value(), ",", "l:", "[", value(), ",", value(), "]", ",", "m: "+value())
		text.WriteString("}\n")
		if checkSure(t, []byte(text.String())) && strings.Contains(text.String(), "\n  \t") {
			accepted++
		}
	}
	if accepted < 100 {
		t.Errorf("only %d texts are accepted, which is too few to compare", accepted)
	}
}
