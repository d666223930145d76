package finding

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pillion.dev/pillion/test/golden"
)

const pageHead = `# Reason codes

Every decision and every problem has a code, in the results of the function (under ` + "`tags.code`" + `), on standard error and in
all [reports](report.md). Scripts may match on codes, which are [stable](limits.md#compatibility) from the first release on.
The message of a finding names the place and says what to do.

An error means that nothing is changed, except with ` + "`--keep-going`" + `, which leaves only the refused workloads unchanged.
` + "`report: Info`, or `-v`" + `, shows infos. The *payload* is what an injector adds, the *stamp* is the annotation that records it, and
the *marker* is the annotation by which a pod opts in or out. ` + "`go test ./finding -update`" + ` writes this page.
`

// TestPage checks that docs/reference/reason-codes.md has an entry for each code, in the groups of code.go.
func TestPage(t *testing.T) {
	page := pageHead
	for _, group := range groups(t) {
		page += "\n## " + group.title + "\n\n"
		for _, code := range group.codes {
			e := help()[code]
			if e.severity == "" || e.cause == "" {
				t.Errorf("%s has no explanation in help.go", code)
			}
			page += "- `" + string(code) + "` (" + asCode(e.severity) + "): " + asCode(e.cause) + "\n"
		}
	}
	golden.Check(t, filepath.Join("..", "docs", "reference", "reason-codes.md"), page)
}

// field matches names of fields, flags and commands in an explanation.
var field = regexp.MustCompile(`\$\{[^ ]+\}|--[a-z]+|pillion [a-z]+\b|\b[a-z]+[A-Z][A-Za-z]*(\.[a-zA-Z]+)*|\b(spec|metadata)(\.[a-zA-Z]+)+`)

func asCode(text string) string { return field.ReplaceAllString(text, "`$0`") }

// group is a block of constants in code.go.
type group struct {
	title string
	codes []Code
}

func groups(t *testing.T) []group {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "code.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	var found []group
	for _, decl := range file.Decls {
		constants, ok := decl.(*ast.GenDecl)
		if !ok || constants.Tok != token.CONST {
			continue
		}
		g := group{title: strings.TrimSuffix(strings.TrimSpace(constants.Doc.Text()), ".")}
		for _, spec := range constants.Specs {
			code, err := strconv.Unquote(spec.(*ast.ValueSpec).Values[0].(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			g.codes = append(g.codes, Code(code))
		}
		found = append(found, g)
	}
	return found
}
