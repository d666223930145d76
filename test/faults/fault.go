package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// fault is an edit of a file that changes what its package does.
type fault struct {
	file       string
	line       int
	start, end int // offsets of what is replaced
	old, text  string
	whole      []byte // the file
}

func (f fault) String() string {
	old, _, _ := strings.Cut(f.old, "\n")
	return fmt.Sprintf("%s:%d: %s becomes %s", filepath.Base(f.file), f.line, old, cmp.Or(f.text, "nothing"))
}

// planted returns the text of the file with the fault.
func (f fault) planted() []byte {
	return slices.Concat(f.whole[:f.start], []byte(f.text), f.whole[f.end:])
}

// opposites are operators and what takes their place.
var opposites = map[token.Token]string{
	token.EQL:  "!=",
	token.NEQ:  "==",
	token.LSS:  "<=",
	token.LEQ:  "<",
	token.GTR:  ">=",
	token.GEQ:  ">",
	token.LAND: "||",
	token.LOR:  "&&",
	token.ADD:  "-",
	token.SUB:  "+",
}

// faultsIn returns all faults that can be made in a file. Some of them do not compile.
func faultsIn(path string) ([]fault, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, path, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var all []fault
	replace := func(start, end token.Pos, by string) {
		at := files.Position(start)
		from, to := at.Offset, files.Position(end).Offset
		all = append(all, fault{path, at.Line, from, to, string(text[from:to]), by, text})
	}
	ast.Inspect(parsed, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GenDecl:
			return false // tables and types
		case *ast.IfStmt:
			written := string(text[files.Position(n.Cond.Pos()).Offset:files.Position(n.Cond.End()).Offset])
			for _, by := range []string{"!(%s)", "false && (%s)", "true || (%s)"} {
				replace(n.Cond.Pos(), n.Cond.End(), fmt.Sprintf(by, written))
			}
		case *ast.BinaryExpr:
			if by := opposites[n.Op]; by != "" {
				replace(n.OpPos, n.OpPos+token.Pos(len(n.Op.String())), by)
			}
		case *ast.IncDecStmt, *ast.ExprStmt:
			replace(n.Pos(), n.End(), "")
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE {
				replace(n.Pos(), n.End(), "")
			}
		case *ast.BranchStmt:
			if n.Tok == token.CONTINUE && n.Label == nil {
				replace(n.Pos(), n.End(), "")
			}
		case *ast.ReturnStmt:
			replaceResults(n, replace)
		}
		return true
	})
	return all, nil
}

// replaceResults lets a function return other truth values, nothing or no error.
func replaceResults(n *ast.ReturnStmt, replace func(start, end token.Pos, by string)) {
	for _, result := range n.Results {
		name, isName := result.(*ast.Ident)
		switch {
		case isName && name.Name == "true":
			replace(result.Pos(), result.End(), "false")
		case isName && name.Name == "false":
			replace(result.Pos(), result.End(), "true")
		case !isName || name.Name != "nil":
			replace(result.Pos(), result.End(), "nil")
		}
	}
}

// spread returns groups of faults, one for each part of the package, in an order that depends on the seed.
func spread(all []fault, count int, seed uint64) (groups [][]fault) {
	random := rand.New(rand.NewPCG(seed, seed))
	for i := range count {
		group := slices.Clone(all[i*len(all)/count : (i+1)*len(all)/count])
		random.Shuffle(len(group), func(a, b int) { group[a], group[b] = group[b], group[a] })
		groups = append(groups, group)
	}
	return groups
}
