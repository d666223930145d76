// Package instrument rewrites Go source so that it counts its steps.
package instrument

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
)

const counter = "pillion.dev/pillion/test/steps/count"

// wrappers are the functions of package count that call those of the standard library.
var wrappers = map[string]string{
	"IndexByte": "Index", "Index": "Index", "IndexAny": "Index", "IndexFunc": "Index", "IndexRune": "Index",
	"LastIndexByte": "LastIndex", "LastIndex": "LastIndex",
	"Cut":  "Cut",
	"Trim": "Trim", "TrimLeft": "Trim", "TrimRight": "Trim",
	"Count": "WholeOf", "Contains": "WholeOf", "ContainsAny": "WholeOf",
	"RuneCount": "Whole", "RuneCountInString": "Whole", "Valid": "Whole", "ValidString": "Whole",
}

// Source returns the source with code that counts a step at the start of every function and in every iteration of a loop, and
// with calls to package count instead of bytes, strings, utf8 and slices.
func Source(name string, source []byte) ([]byte, error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, name, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	edits := map[int]string{}
	insert := func(at token.Pos, text string) { edits[files.Position(at).Offset] += text }
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Body != nil {
				insert(n.Body.Lbrace+1, "stepsCounted.Step();")
			}
		case *ast.FuncLit:
			insert(n.Body.Lbrace+1, "stepsCounted.Step();")
		case *ast.ForStmt:
			insert(n.Body.Lbrace+1, "stepsCounted.Step();")
		case *ast.RangeStmt:
			insert(n.Body.Lbrace+1, "stepsCounted.Step();")
		case *ast.CallExpr:
			if wrapper := wrapperOf(n); wrapper != "" {
				insert(n.Fun.Pos(), "stepsCounted."+wrapper+"(")
				insert(n.Lparen, ",\x00") // instead of the parenthesis
			}
		}
		return true
	})
	insert(file.Name.End(), fmt.Sprintf("\nimport stepsCounted %q\n", counter))
	return apply(source, edits, "\nvar _ = stepsCounted.Step\n"), nil
}

func wrapperOf(call *ast.CallExpr) string {
	function, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	pkg, ok := function.X.(*ast.Ident)
	if !ok {
		return ""
	}
	switch pkg.Name {
	case "bytes", "strings", "utf8":
		return wrappers[function.Sel.Name]
	case "slices":
		if function.Sel.Name == "Contains" || function.Sel.Name == "Index" {
			return "Search"
		}
	}
	return ""
}

func apply(source []byte, edits map[int]string, end string) []byte {
	var b strings.Builder
	at := 0
	offsets := make([]int, 0, len(edits))
	for offset := range edits {
		offsets = append(offsets, offset)
	}
	slices.Sort(offsets)
	for _, offset := range offsets {
		b.Write(source[at:offset])
		text, replaces := strings.CutSuffix(edits[offset], "\x00")
		b.WriteString(text)
		at = offset
		if replaces {
			at++
		}
	}
	b.Write(source[at:])
	b.WriteString(end)
	return []byte(b.String())
}
