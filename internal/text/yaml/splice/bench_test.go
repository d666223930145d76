package splice

import (
	"os"
	"testing"

	"pillion.dev/pillion/internal/text/yaml/read"
)

func BenchmarkSplice(b *testing.B) {
	text, err := os.ReadFile("testdata/corpus/hand-commented-out.yaml")
	if err != nil {
		b.Fatal(err)
	}
	arena := new(read.Arena)
	before := readIn(arena, text)
	after := sharing(before)
	everything(b, podSpec(after))
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Edits(text, before, after, Past{}); err != nil {
			b.Fatal(err)
		}
	}
}
