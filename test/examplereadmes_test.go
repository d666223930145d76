package test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pillion.dev/pillion/test/golden"
)

// TestExampleReadmes checks the blocks in the README of each example. The commands of a console block are run beside a
// copy of the examples, and it must show what they print. Any other block must be part of a file of the example or of
// its expected results. The tests of the examples themselves do what the shell blocks do.
func TestExampleReadmes(t *testing.T) {
	for _, dir := range exampleDirs(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			path := filepath.Join(dir, "README.md")
			text := readFile(t, path)
			if strings.Contains(text, "$ kpt ") {
				tool(t, "kpt")
			}
			if strings.Contains(text, "$ kustomize build") {
				t.Setenv("PATH", os.Getenv("PATH")+string(os.PathListSeparator)+filepath.Dir(kustomize(t)))
			}
			copied := t.TempDir()
			if err := os.CopyFS(filepath.Join(copied, "examples"), os.DirFS(filepath.Join(root, "examples"))); err != nil {
				t.Fatal(err)
			}
			files := filesOf(t, dir)
			updated := text
			for _, block := range fencedBlocks(t, text) {
				switch block.language {
				case "sh":
				case "console":
					got := readmeBlock{text: block.text, console: true}.run(t, copied)
					updated = strings.Replace(updated, block.text, got, 1)
				default:
					if !strings.Contains(files, block.text) {
						t.Errorf("no file of the example and no expected result has:\n%s", block.text)
					}
				}
			}
			golden.Check(t, path, updated)
		})
	}
}

// fencedBlock is the content of a fenced block, without the indentation of the fence.
type fencedBlock struct{ language, text string }

func fencedBlocks(t *testing.T, text string) []fencedBlock {
	t.Helper()
	var blocks []fencedBlock
	isOpen, indent := false, ""
	for line := range strings.Lines(text) {
		language, isFence := strings.CutPrefix(strings.TrimLeft(line, " "), "```")
		switch {
		case isFence && isOpen:
			isOpen = false
		case isFence:
			isOpen, indent = true, line[:strings.IndexByte(line, '`')]
			blocks = append(blocks, fencedBlock{language: strings.TrimSpace(language)})
		case isOpen:
			blocks[len(blocks)-1].text += strings.TrimPrefix(line, indent)
		}
	}
	if isOpen {
		t.Error("the last block does not end")
	}
	return blocks
}

// filesOf returns the text of all files of an example and of its expected results, except for its README.
func filesOf(t *testing.T, dir string) string {
	t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || entry.Name() == "README.md" {
			return err
		}
		all.WriteString(readFile(t, path) + "\n")
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}
