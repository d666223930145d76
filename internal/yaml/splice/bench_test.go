package splice

import (
	"os"
	"testing"

	"pillion.dev/pillion/internal/yaml/node"
)

func BenchmarkSplice(b *testing.B) {
	text, err := os.ReadFile("testdata/corpus/hand-commented-out.yaml")
	if err != nil {
		b.Fatal(err)
	}
	before := parsed(b, string(text))
	after := node.Copy(before)
	everything(b, podSpec(after))
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Splice(text, before, after); err != nil {
			b.Fatal(err)
		}
	}
}
