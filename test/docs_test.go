package test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pillion.dev/pillion/finding"
)

// TestEveryReasonCodeIsExplained checks that the table in the README has every code, and no other. A test of package finding
// checks that every code has a help text.
func TestEveryReasonCodeIsExplained(t *testing.T) {
	readme := readFile(t, filepath.Join(root, "README.md"))
	_, table, _ := strings.Cut(readme, "### Reason codes\n")
	table, _, _ = strings.Cut(table, "\n#")
	inTable := map[string]bool{}
	for _, row := range regexp.MustCompile(`(?m)^\| (.*?) \| `).FindAllStringSubmatch(table, -1) {
		for _, code := range regexp.MustCompile("`([A-Za-z]+)`").FindAllStringSubmatch(row[1], -1) {
			inTable[code[1]] = true
		}
	}
	for _, code := range finding.Codes() {
		if !inTable[string(code)] {
			t.Errorf("the table of reason codes in README.md does not have %s", code)
		}
		delete(inTable, string(code))
	}
	for code := range inTable {
		t.Errorf("the table of reason codes in README.md has %s, which is no code", code)
	}
}

var (
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#+ (.+)$`)
)

// TestLinksInDocs checks that every link inside the project leads to a file, and to a heading if it names one.
func TestLinksInDocs(t *testing.T) {
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && slices.Contains([]string{".git", ".cache", "dist", "internal"}, entry.Name()):
			return filepath.SkipDir // internal has parts of pages, which are whole under docs
		case entry.IsDir() || filepath.Ext(path) != ".md":
			return nil
		}
		for _, match := range link.FindAllStringSubmatch(readFile(t, path), -1) {
			if !strings.Contains(match[1], "://") && !isValidLink(t, path, match[1]) {
				t.Errorf("%s: %s leads nowhere", path, match[1])
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func isValidLink(t *testing.T, page, to string) bool {
	t.Helper()
	file, anchor, _ := strings.Cut(to, "#")
	path := page
	if file != "" {
		path = filepath.Join(filepath.Dir(page), file)
	}
	if _, err := os.Stat(path); err != nil {
		return false
	}
	if anchor == "" {
		return true
	}
	for _, match := range heading.FindAllStringSubmatch(readFile(t, path), -1) {
		if slug(match[1]) == anchor {
			return true
		}
	}
	return false
}

// slug returns the anchor of a heading.
func slug(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || r == '_' || r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			return r
		default:
			return -1
		}
	}, strings.ToLower(heading))
}
