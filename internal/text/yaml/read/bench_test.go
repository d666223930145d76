package read

import (
	"bytes"
	"os"
	"testing"

	"go.yaml.in/yaml/v3"
)

// BenchmarkDocument reads Deployments of about 80 lines, with the library beside it:
//
//	go test -bench Document ./internal/text/yaml/read
func BenchmarkDocument(b *testing.B) {
	for _, c := range []struct{ name, path string }{
		{"budget", "../../../../test/bench/workload.yaml"}, // the one of the project's budgets
		{"commented", "../splice/testdata/corpus/deployment-odd-three-commented-trailing-comment.yaml"},
		{"json", "../splice/testdata/corpus/json-pretty-deployment.json"},
	} {
		text, err := os.ReadFile(c.path)
		if err != nil {
			b.Fatal(err)
		}
		if behind := bytes.Index(text, []byte("\n---\n")); behind >= 0 {
			text = text[:behind+1]
		}
		if _, ok := sure(text); !ok {
			b.Fatalf("%s is not read fast", c.path)
		}
		b.Run(c.name+"/fast", func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				arena := Borrow()
				if _, err := arena.Document(text); err != nil {
					b.Fatal(err)
				}
				arena.Return()
			}
		})
		b.Run(c.name+"/library", func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if err := yaml.NewDecoder(bytes.NewReader(text)).Decode(new(yaml.Node)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
