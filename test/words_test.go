package test

import (
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// ourWords are words that mean something particular in Pillion, and that a new reader cannot know.
var ourWords = []string{"payload", "stream", "marker", "stamp"}

// codeOnPage matches what is no prose: blocks, and names of fields and commands.
var codeOnPage = regexp.MustCompile("(?s)```.*?```|`[^`]+`|\\]\\([^)]+\\)")

// TestWordsAreExplainedOnPages checks that each page of docs explains our words where it uses them first, in emphasis, or links to the
// glossary up to there.
func TestWordsAreExplainedOnPages(t *testing.T) {
	headings := regexp.MustCompile(`(?m)^#+ .*$`)
	for _, page := range pages(t) {
		if slices.Contains([]string{"README.md", "reference/glossary.md"}, page) {
			continue
		}
		prose := headings.ReplaceAllString(readFile(t, filepath.Join(root, "docs", page)), "")
		text := codeOnPage.ReplaceAllStringFunc(prose, func(code string) string {
			if strings.Contains(code, "glossary.md") {
				return code
			}
			return "`"
		})
		for _, word := range ourWords {
			at := regexp.MustCompile(`(?i)\b` + word + `s?\b`).FindStringIndex(text)
			if at == nil {
				continue
			}
			end := at[1]
			if paragraph := strings.Index(text[end:], "\n\n"); paragraph >= 0 {
				end += paragraph
			}
			if until := text[:end]; !strings.Contains(until, "glossary.md") && !strings.Contains(until, "*"+word) {
				t.Errorf("docs/%s uses %q before it explains it: %.100q", page, word, text[max(0, at[0]-40):])
			}
		}
	}
}

// stumbles match words that new readers stumbled over.
var stumbles = regexp.MustCompile(`(?i)\b(but for\s+(// )?(the|a|an|its|their|what|those|this|that|one)|lest|save for|such as is|` +
	`again is the same|no clock, no chance|quantities that are none|in kustomize's own terms|safe by its making|is who an injector is)\b`)

// TestPlainWords finds words in pages, code and messages for which plain ones exist: except, so that not, as in.
func TestPlainWords(t *testing.T) {
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && slices.Contains([]string{".git", ".cache", "dist", "testdata"}, entry.Name()):
			return filepath.SkipDir
		case !slices.Contains([]string{".md", ".go", ".sh"}, filepath.Ext(path)) || entry.Name() == "words_test.go":
			return nil
		}
		for _, found := range stumbles.FindAllString(readFile(t, path), -1) {
			t.Errorf("%s: %q; use a plainer word", path, found)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
