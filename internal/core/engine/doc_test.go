package engine

import (
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"os"
	"regexp"
	"slices"
	"testing"
)

// TestTheDocHasTheStepsInOrder compares the steps that the package comment lists with those that reconcile has.
func TestTheDocHasTheStepsInOrder(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	var listed []string
	for _, step := range regexp.MustCompile(`(?m)^// {3}- (\w+): `).FindAllSubmatch(doc, -1) {
		listed = append(listed, string(step[1]))
	}
	if steps := stepsOf(t, "item.go", "reconcile", "p", "c"); len(steps) == 0 || !slices.Equal(listed, steps) {
		t.Errorf("doc.go lists    %v\nreconcile calls %v", listed, steps)
	}
}

// stepsOf returns the methods that a method mentions of some of its variables, in order.
func stepsOf(t *testing.T, file, method string, variables ...string) (steps []string) {
	t.Helper()
	parsed, err := parser.ParseFile(gotoken.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range parsed.Decls {
		declared, isFunc := d.(*ast.FuncDecl)
		if !isFunc || declared.Name.Name != method {
			continue
		}
		fields := []string{"todo", "workload"}
		ast.Inspect(declared.Body, func(n ast.Node) bool {
			selector, isSelector := n.(*ast.SelectorExpr)
			if !isSelector {
				return true
			}
			of, isName := selector.X.(*ast.Ident)
			if isName && slices.Contains(variables, of.Name) && !slices.Contains(fields, selector.Sel.Name) {
				steps = append(steps, selector.Sel.Name)
			}
			return true
		})
	}
	return steps
}
