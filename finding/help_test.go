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
	codes := 0
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
			codes++
			if Code(code).Help() == "" {
				t.Errorf("%s has none; say in help.go what it means and what to do", code)
			}
		}
		return true
	})
	if codes < 40 {
		t.Errorf("found %d codes only: are they declared elsewhere now?", codes)
	}
}
