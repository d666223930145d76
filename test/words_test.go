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
// list of words in the design up to there.
func TestWordsAreExplainedOnPages(t *testing.T) {
	headings := regexp.MustCompile(`(?m)^#+ .*$`)
	for _, page := range pages(t) {
		if page == "README.md" || page == "explanation/design.md" {
			continue
		}
		prose := headings.ReplaceAllString(readFile(t, filepath.Join(root, "docs", page)), "")
		text := codeOnPage.ReplaceAllStringFunc(prose, func(code string) string {
			if strings.Contains(code, "design.md#words") {
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
			if until := text[:end]; !strings.Contains(until, "design.md#words") && !strings.Contains(until, "*"+word) {
				t.Errorf("docs/%s uses %q before it explains it: %.100q", page, word, text[max(0, at[0]-40):])
			}
		}
	}
}

// unclearPhrases are regular expressions for phrases that readers had to read twice, in lower case, each with plainer
// words. Expressions that begin with letters are found much faster than those that begin with \b.
var unclearPhrases = []struct{ phrase, plainer string }{
	// Old words, which are seldom taught.
	{`\blest\b`, "so that ... not"},
	// With "for" behind it, either word means except only before an article or a pronoun, and readers expect a contrast
	// or a verb.
	{`(but|save)\s+for\s+(// )?(the|a|an|its|their|what|those|this|that|one)\b`, "except"},
	// Sentences that leave out what happens.
	{`again is the same`, "a second run changes nothing"},
	{`no clock, no chance`, "it depends on no clock and no random numbers"},
	{`such as is\b`, "like the one that is"},
	// Sentences that go around a plain verb or noun.
	{`in kustomize's own terms`, "as kustomize patches"},
	{`is who an injector is`, "identifies an injector"},
	{`quantities that are none`, "values that are not quantities"},
	{`safe by its making`, "safe, because ..."},
}

// TestPlainWords finds unclear phrases in pages, code and messages.
func TestPlainWords(t *testing.T) {
	texts := map[string]string{}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && slices.Contains([]string{".git", ".cache", "dist", "testdata"}, entry.Name()):
			return filepath.SkipDir
		case slices.Contains([]string{".md", ".go", ".sh"}, filepath.Ext(path)) && entry.Name() != "words_test.go":
			texts[path] = strings.ToLower(readFile(t, path))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, unclear := range unclearPhrases {
		phrase := regexp.MustCompile(unclear.phrase)
		for path, text := range texts {
			for _, found := range phrase.FindAllString(text, -1) {
				t.Errorf("%s: %q is unclear; write %q", path, found, unclear.plainer)
			}
		}
	}
}
