package admission

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"pillion.dev/pillion/internal/spelling"
)

// TestPatternFindsTheSameSlips compares the pattern for misspelt markers with the distance that Pillion computes for manifests.
func TestPatternFindsTheSameSlips(t *testing.T) {
	for _, marker := range []string{"pillion.dev/inject", "example.com/sidecar", "example.com/a.b", "example.com/x"} {
		text, ok := misspeltPattern(marker)
		if !ok {
			t.Fatalf("%s: the pattern is too long", marker)
		}
		t.Logf("%s: %d characters", marker, len(text))
		pattern := regexp.MustCompile(text)
		domain, name, _ := strings.Cut(marker, "/")
		random := rand.New(rand.NewPCG(1, 2))
		near := 0
		for range 50_000 {
			word := slip(random, name)
			if word == name || word == "" {
				continue
			}
			want := spelling.Nearest(word, []string{name}) != ""
			if want {
				near++
			}
			if got := pattern.MatchString(domain + "/" + strings.ToLower(word)); got != want {
				t.Fatalf("%s: %q is a slip: %t, want %t", marker, word, got, want)
			}
		}
		if near < 10 {
			t.Errorf("%s: only %d slips were tried", marker, near)
		}
	}
}

// slip returns a word with some random edits.
func slip(random *rand.Rand, word string) string {
	letters := "injectsdarxX-.b"
	for range random.IntN(6) {
		at := random.IntN(len(word) + 1)
		letter := string(letters[random.IntN(len(letters))])
		switch edit := random.IntN(4); {
		case edit == 0:
			word = word[:at] + letter + word[at:]
		case at == len(word):
		case edit == 1:
			word = word[:at] + word[at+1:]
		case edit == 2:
			word = word[:at] + letter + word[at+1:]
		case at+1 < len(word):
			word = word[:at] + word[at+1:at+2] + word[at:at+1] + word[at+2:]
		}
	}
	return word
}

func TestSomeMarkersHaveNoPattern(t *testing.T) {
	if text, ok := misspeltPattern("inject"); text != "" || !ok {
		t.Errorf("%q, %t for a marker without a domain", text, ok)
	}
	if text, ok := misspeltPattern("example.com/inject-the-sidecar-of-the-team"); ok {
		t.Errorf("a pattern of %d characters", len(text))
	}
}
