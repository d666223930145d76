package test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestEveryReasonCodeIsExplained claims that the README says of each code what happened, and what to do.
func TestEveryReasonCodeIsExplained(t *testing.T) {
	readme := readFile(t, filepath.Join(root, "README.md"))
	for _, code := range constantsIn(t, filepath.Join(root, "internal", "finding", "code.go")) {
		if !regexp.MustCompile("(?m)^\\| .*`" + code + "`.* \\| ").MatchString(readme) {
			t.Errorf("the table of reason codes in README.md does not have %s", code)
		}
	}
}

// constantsIn are the values of the text constants of a Go file.
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

// TestLinksInDocsLeadSomewhere claims that every link inside the project has a file at its end, and a heading where it
// names one.
func TestLinksInDocsLeadSomewhere(t *testing.T) {
	for _, pattern := range []string{"*.md", "docs/*.md", "examples/*.md", "examples/*/*.md"} {
		pages, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, page := range pages {
			for _, match := range link.FindAllStringSubmatch(readFile(t, page), -1) {
				if !strings.Contains(match[1], "://") && !leadsSomewhere(t, page, match[1]) {
					t.Errorf("%s: %s leads nowhere", page, match[1])
				}
			}
		}
	}
}

func leadsSomewhere(t *testing.T, page, to string) bool {
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

// slug is the anchor that a heading gets.
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
