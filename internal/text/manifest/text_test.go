package manifest

import (
	"strings"
	"testing"
)

// TestPiecesAreWholeLines checks that a survey looks at each byte once: a line may be as long as the text.
func TestPiecesAreWholeLines(t *testing.T) {
	const bom = "\ufeff"
	long := strings.Repeat("x", 10*surveyBytes)
	for text, want := range map[string]int{
		"": 0, bom: 0, "a": 1, "a\n": 1, long: 1, bom + long: 1, long + "\n" + long: 2, strings.Repeat("a\n", surveyBytes): 2,
	} {
		at := len(text) - len(strings.TrimPrefix(text, bom))
		pieces := piecesOf([]byte(text))
		for _, piece := range pieces {
			if piece.start != at || piece.end < len(text) && text[piece.end-1] != '\n' {
				t.Errorf("%.20q: the piece %v does not follow the one before it in whole lines", text, piece)
			}
			at = piece.end
		}
		if len(pieces) != want || at != len(text) {
			t.Errorf("%.20q: the pieces are %v, want %d up to %d", text, pieces, want, len(text))
		}
	}
}

func TestATextThatIsTooLargeIsRefused(t *testing.T) {
	for size, want := range map[int]bool{MaxItemBytes - 100: true, MaxItemBytes: false} {
		if _, err := Read([]byte("kind: Pod\nx: " + strings.Repeat("x", size) + "\n")); (err == nil) != want {
			t.Errorf("%d bytes: error: %v", size, err)
		}
	}
}
