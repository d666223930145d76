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

// reported matches the severity and the code of a finding in golden files, scripts and pages.
var reported = regexp.MustCompile(`(?m)(?:^|[ '(>^])(error|warning|info):? ([A-Z][A-Za-z]+):`)

// TestReasonCodesHaveTheSeveritiesOnThePage checks docs/reference/reason-codes.md, which a test of package finding
// writes: whatever severity a code has in golden files and on pages is in its entry, and there are no other codes.
func TestReasonCodesHaveTheSeveritiesOnThePage(t *testing.T) {
	severities := map[string]string{}
	page := readFile(t, filepath.Join(root, "docs", "reference", "reason-codes.md"))
	for _, row := range regexp.MustCompile("(?m)^- `([A-Za-z]+)` \\((.*?)\\): ").FindAllStringSubmatch(page, -1) {
		severities[row[1]] = row[2]
	}
	seen := 0
	for _, tree := range []string{"internal", "examples", "docs", "test/testdata"} {
		err := filepath.WalkDir(filepath.Join(root, tree), func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || filepath.Ext(path) == ".go" {
				return err
			}
			for _, found := range reported.FindAllStringSubmatch(readFile(t, path), -1) {
				severity, code := found[1], found[2]
				seen++
				if documented, isCode := severities[code]; !isCode {
					t.Errorf("%s has %s %s, which is not a code", path, severity, code)
				} else if !strings.Contains(documented, severity) {
					t.Errorf("%s has %s %s, but the page says: %s", path, severity, code, documented)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(severities) != len(finding.Codes()) || seen < 500 {
		t.Errorf("found %d codes on the page and %d findings elsewhere", len(severities), seen)
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

var address = regexp.MustCompile(`https://pillion\.dev/docs/([\w/-]+)(#[\w-]+)?`)

// TestAddressesOfPagesLeadToPages checks that every address of a page, in messages and elsewhere, is that of a page of docs,
// and of a heading if it names one.
func TestAddressesOfPagesLeadToPages(t *testing.T) {
	seen := map[string]bool{}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && slices.Contains([]string{".git", ".cache", "dist"}, entry.Name()):
			return filepath.SkipDir
		case entry.IsDir() || !slices.Contains([]string{".go", ".yaml", ".html", ".js", ".md", ".txtar"}, filepath.Ext(path)):
			return nil
		}
		for _, match := range address.FindAllStringSubmatch(readFile(t, path), -1) {
			if seen[match[0]] {
				continue
			}
			seen[match[0]] = true
			if !isValidLink(t, filepath.Join(root, "docs", "README.md"), match[1]+".md"+match[2]) {
				t.Errorf("%s: %s is not the address of a page", path, match[0])
			}
		}
		return nil
	})
	if err != nil || len(seen) < 10 {
		t.Fatalf("%d addresses, %v", len(seen), err)
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
