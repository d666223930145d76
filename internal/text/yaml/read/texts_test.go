package read

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// manifests are all the manifests in the project's tests and examples, by path. Files with
// several documents are there whole and in pieces.
func manifests(t testing.TB) map[string][]byte {
	t.Helper()
	texts := map[string][]byte{}
	add := func(name string, text []byte) {
		texts[name] = text
		for i, piece := range strings.Split("\n"+string(text), "\n---\n") {
			if i > 0 {
				texts[name+"#"+string(rune('0'+i%10))] = []byte(piece)
			}
		}
	}
	for _, root := range []string{"../splice/testdata/corpus", "../../../../examples", "../../../core/engine/testdata"} {
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			switch filepath.Ext(path) {
			case ".yaml", ".json":
				add(path, text)
			case ".txtar":
				for _, file := range txtar.Parse(text).Files {
					add(path+":"+file.Name, file.Data)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(texts) < 150 {
		t.Fatalf("only %d manifests found", len(texts))
	}
	return texts
}

// crlf is the text with the other line ends.
func crlf(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\n", "\r\n")
}
