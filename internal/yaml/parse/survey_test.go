package parse

import "testing"

func TestEightBytesMeanWhatEachOfThemMeans(t *testing.T) {
	text := []byte("abcdefghijklm")
	for at := range len(text) - 1 {
		for pair := range 1 << 16 {
			text[at], text[at+1] = byte(pair), byte(pair>>8)
			if got, want := meaning(text), meaningOfEach(text); got != want {
				t.Fatalf("%q: %b, want %b", text, got, want)
			}
		}
		text[at], text[at+1] = 'a', 'b'
	}
}
