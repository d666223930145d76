package manifest

import "testing"

// All short lines of the characters that matter are finished in the same way, whichever function finishes them.
func TestUsualLinesAreFinishedLikeAnyOthers(t *testing.T) {
	const alphabet, longest = "a- :|'#[&?*\r\n", 6
	usual := 0
	var compare func(text []byte)
	compare = func(text []byte) {
		s := scanner{text: append(text[:len(text):len(text)], "\n x"...), open: -1, deeper: nothingDeeper}
		if s.advance() {
			fast, any := s, s
			if fast.finishUsual() {
				usual++
				any.finishAny()
				if fast.open != any.open || fast.deeper != any.deeper || fast.next != any.next || any.unsure {
					t.Fatalf("%q: %+v, want %+v", text, fast, any)
				}
			}
		}
		if len(text) < longest {
			for i := range len(alphabet) {
				compare(append(text[:len(text):len(text)], alphabet[i]))
			}
		}
	}
	compare(nil)
	if usual == 0 {
		t.Error("no line is usual")
	}
}
