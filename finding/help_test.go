package finding

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"testing"
)

func TestEveryCodeHasHelp(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "code.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	known := map[Code]bool{}
	for _, code := range Codes() {
		known[code] = true
	}
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		for _, value := range spec.Values {
			code, err := strconv.Unquote(value.(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			delete(known, Code(code))
			if Code(code).Help() == "" {
				t.Errorf("%s has none; say in help.go what it means and what to do", code)
			}
		}
		return true
	})
	if len(known) > 0 {
		t.Errorf("%v have a help text and are no constants of code.go", known)
	}
}
