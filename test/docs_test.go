package test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestEveryReasonCodeIsExplained checks that the table in the README has every code.
func TestEveryReasonCodeIsExplained(t *testing.T) {
	readme := readFile(t, filepath.Join(root, "README.md"))
	for _, code := range constantsIn(t, filepath.Join(root, "finding", "code.go")) {
		if !regexp.MustCompile("(?m)^\\| .*`" + code + "`.* \\| ").MatchString(readme) {
			t.Errorf("the table of reason codes in README.md does not have %s", code)
		}
	}
}

// constantsIn returns the values of the string constants in a Go file.
func constantsIn(t *testing.T, path string) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var values []string
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		for _, value := range spec.Values {
			literal, ok := value.(*ast.BasicLit)
			if !ok || literal.Kind != token.STRING {
				continue
			}
			text, err := strconv.Unquote(literal.Value)
			if err != nil {
				t.Fatal(err)
			}
			values = append(values, text)
		}
		return true
	})
	return values
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
