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
			fast, slow := s, s
			if fast.finishUsual() {
				usual++
				slow.finishAny()
				if fast.open != slow.open || fast.deeper != slow.deeper || fast.next != slow.next || slow.unsure {
					t.Fatalf("%q: %+v, want %+v", text, fast, slow)
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
