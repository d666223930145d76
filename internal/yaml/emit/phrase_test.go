package emit

import (
	"math/rand/v2"
	"testing"
)

// TestPhrasesAreNeitherNumbersNorTimes compares the quick look at a string with the close one.
func TestPhrasesAreNeitherNumbersNorTimes(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	parts := []string{" ", "2001", "-", "01", "1", ":", ".", "+", "_", "e", "0x", "0o7", "T", "Z", "~", "=", "<<", ".inf", "a", "/", "12:30", "true"}
	phrases := 0
	for range 200_000 {
		value := ""
		for range 1 + random.IntN(7) {
			value += parts[random.IntN(len(parts))]
		}
		if !isPhrase(value) {
			continue
		}
		phrases++
		if value[0] != ' ' && (ambiguous().MatchString(value) || resolved(value) != "!!str") {
			t.Errorf("%q is taken for a phrase", value)
		}
	}
	for _, value := range []string{"2001-1-1 12:30:00", "2001-01-01 x"} {
		if isPhrase(value) || SafePlain(value, false) {
			t.Errorf("%q is not taken for a time", value)
		}
	}
	if phrases < 1000 {
		t.Errorf("only %d strings are phrases, which is too few", phrases)
	}
}
