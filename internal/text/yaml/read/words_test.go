package read

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// isOrdinary looks at many bytes at once; every byte must count wherever it is.
func TestEveryCharacterIsLookedAt(t *testing.T) {
	pieces := []string{"\r\n", "\u0085", "\u009f", "\u00a0", "é", "\u2027", "\u2028", "\u2029", "\ufeff", "\ufffd", "\uffff", "\U00010000"}
	for c := range 256 {
		pieces = append(pieces, string([]byte{byte(c)}))
	}
	for _, piece := range pieces {
		c, _ := utf8.DecodeRuneInString(piece)
		isAllowed := c >= ' ' || strings.ContainsRune("\t\n", c) || piece == "\r\n"
		want := isAllowed && !strings.ContainsRune("\x7f\u2028\u2029\ufeff\ufffd\uffff", c) && (c < 0x80 || c > 0x9f)
		for before := range 40 {
			for _, behind := range []string{"", "x", strings.Repeat("y\n", 20), strings.Repeat("\tz\r\n", 8)} {
				text := strings.Repeat("x", before) + piece + behind
				if piece == "\r" && strings.HasPrefix(behind, "\n") {
					continue
				}
				if got := isOrdinary(text); got != want {
					t.Fatalf("%q: got %t", text, got)
				}
			}
		}
	}
}
