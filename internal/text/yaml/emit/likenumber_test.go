package emit

import (
	"math/rand/v2"
	"testing"

	"pillion.dev/pillion/internal/text/yaml/node"
)

// TestWhatIsNotLikeANumberIsNone compares the quick look at a string with the close one.
func TestWhatIsNotLikeANumberIsNone(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	parts := []string{
		" ", "2001", "-", "01", "1", ":", ".", "+", "_", "e", "E", "0x", "F", "0o7", "0b1", "T", "t", "Z", "~", "=", "<<", ".inf", ".NaN",
		"Inf", "g", "/", "12:30", "m", "Mi", "\t",
	}
	unlike := 0
	for range 300_000 {
		value := ""
		for range 1 + random.IntN(7) {
			value += parts[random.IntN(len(parts))]
		}
		if likeNumber(value) {
			continue
		}
		unlike++
		if ambiguous().MatchString(value) || node.PlainTag(value) != node.StrTag {
			t.Errorf("%q is not taken for a number or a time", value)
		}
	}
	if unlike < 1000 {
		t.Errorf("only %d strings are not like a number, which is too few", unlike)
	}
}
