package schema

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"reflect"
	"strings"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/text/jsonfield"
)

// comments are the Go comments of Pillion's own types and fields. Kubernetes' types return theirs by a method.
type comments struct {
	types  map[string]string    // by type
	fields map[[2]string]string // by type and field
}

// readComments reads the comments of the Go files in a directory.
func readComments(dir string) (comments, error) {
	read := comments{types: map[string]string{}, fields: map[[2]string]string{}}
	names, err := fs.Glob(os.DirFS(dir), "*.go")
	if err != nil {
		return read, err
	}
	for _, name := range names {
		file, err := parser.ParseFile(token.NewFileSet(), dir+"/"+name, nil, parser.ParseComments)
		if err != nil {
			return read, err
		}
		for _, declaration := range file.Decls {
			if types, ok := declaration.(*ast.GenDecl); ok && types.Tok == token.TYPE {
				read.add(types)
			}
		}
	}
	return read, nil
}

func (c comments) add(declaration *ast.GenDecl) {
	for _, spec := range declaration.Specs {
		typ := spec.(*ast.TypeSpec)
		c.types[typ.Name.Name] = sentence(declaration.Doc.Text())
		structure, ok := typ.Type.(*ast.StructType)
		if !ok {
			continue
		}
		for _, field := range structure.Fields.List {
			for _, name := range field.Names {
				c.fields[[2]string{typ.Name.Name, name.Name}] = sentence(field.Doc.Text())
			}
		}
	}
}

// sentence joins the lines of a comment, without markers such as +enum.
func sentence(comment string) string {
	var lines []string
	for line := range strings.SplitSeq(strings.TrimSpace(comment), "\n") {
		if !strings.HasPrefix(line, "+") {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, " ")
}

func (c comments) ofType(t reflect.Type) string {
	if isOwn(t) {
		return c.types[t.Name()]
	}
	return swaggerDoc(t)[""]
}

// ofField returns the description of a field, which begins with its name in JSON.
func (c comments) ofField(field jsonfield.Field) string {
	if !isOwn(field.Struct) {
		return swaggerDoc(field.Struct)[field.Name]
	}
	text := c.fields[[2]string{field.Struct.Name(), field.GoName}]
	if rest, ok := strings.CutPrefix(text, field.GoName+" "); ok {
		return field.Name + " " + rest
	}
	return text
}

func isOwn(t reflect.Type) bool {
	return t.PkgPath() == reflect.TypeFor[v1alpha1.SidecarInjector]().PkgPath()
}

// swaggerDoc returns the first paragraphs of the comments of a Kubernetes type and its fields. The rest would make up
// most of the schema.
func swaggerDoc(t reflect.Type) map[string]string {
	documented, ok := reflect.Zero(t).Interface().(interface{ SwaggerDoc() map[string]string })
	if !ok {
		return nil
	}
	docs := documented.SwaggerDoc() // which is shared, and must not be changed
	first := make(map[string]string, len(docs))
	for name, text := range docs {
		first[name], _, _ = strings.Cut(text, "\n")
	}
	return first
}
