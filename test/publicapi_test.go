package test

import (
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const module = "pillion.dev/pillion"

// TestPublicPackagesMentionNoInternalTypes claims that other modules can write down every type of the Go API.
func TestPublicPackagesMentionNoInternalTypes(t *testing.T) {
	for _, object := range publicNames(t) {
		v := mentions{t: t, of: object.Pkg().Path() + "." + object.Name(), seen: map[types.Type]bool{}}
		v.object(object)
	}
}

// TestPublicPackagesHaveNoVariables claims that no program changes what another part of it gets from the Go API.
func TestPublicPackagesHaveNoVariables(t *testing.T) {
	for _, object := range publicNames(t) {
		if _, isVariable := object.(*types.Var); isVariable {
			t.Errorf("anybody can change %s.%s", object.Pkg().Path(), object.Name())
		}
	}
}

// publicNames returns what the packages of the Go API export.
func publicNames(t *testing.T) []types.Object {
	t.Helper()
	args := []string{"list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}} {{.DepOnly}} {{.Name}}"}
	args = append(args, "./api/v1alpha1", "./decision", "./finding", "./fn/...", "./transformers/...")
	exports, public := map[string]string{}, []string{}
	for line := range strings.Lines(mustRun(t, root, "", "go", args...).stdout) {
		fields := strings.Fields(line)
		if len(fields) == 4 { // package unsafe has no exports
			exports[fields[0]] = fields[1]
			if fields[2] == "false" && fields[3] != "main" {
				public = append(public, fields[0])
			}
		}
	}
	if len(public) < 8 {
		t.Errorf("there are only %d packages", len(public))
	}
	compiled := importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	var names []types.Object
	for _, path := range public {
		pkg, err := compiled.Import(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range pkg.Scope().Names() {
			if object := pkg.Scope().Lookup(name); object.Exported() {
				names = append(names, object)
			}
		}
	}
	return names
}

// mentions visits the types that an exported name mentions.
type mentions struct {
	t    *testing.T
	of   string
	seen map[types.Type]bool
}

func (v mentions) object(object types.Object) {
	named, isNamed := object.Type().(*types.Named)
	if _, isType := object.(*types.TypeName); !isType || !isNamed {
		v.visit(object.Type())
		return
	}
	v.visit(named.Underlying())
	for method := range named.Methods() {
		if method.Exported() {
			v.visit(method.Type())
		}
	}
}

func (v mentions) visit(t types.Type) {
	if t == nil || v.seen[t] {
		return
	}
	v.seen[t] = true
	switch t := t.(type) {
	case *types.Named:
		v.check(t.Obj())
		for argument := range t.TypeArgs().Types() {
			v.visit(argument)
		}
	case *types.Alias:
		v.check(t.Obj())
		v.visit(t.Rhs())
	case *types.Struct:
		for field := range t.Fields() {
			if field.Exported() || field.Embedded() {
				v.visit(field.Type())
			}
		}
	case *types.Interface:
		for method := range t.Methods() {
			v.visit(method.Type())
		}
		for embedded := range t.EmbeddedTypes() {
			v.visit(embedded)
		}
	case *types.Signature:
		for parameter := range t.TypeParams().TypeParams() {
			v.visit(parameter.Constraint())
		}
		v.visit(t.Params())
		v.visit(t.Results())
	case *types.Tuple:
		for variable := range t.Variables() {
			v.visit(variable.Type())
		}
	case *types.Map:
		v.visit(t.Key())
		v.visit(t.Elem())
	case interface{ Elem() types.Type }: // pointers, slices, arrays, channels
		v.visit(t.Elem())
	}
}

func (v mentions) check(name *types.TypeName) {
	if name.Pkg() != nil && strings.HasPrefix(name.Pkg().Path(), module+"/internal") {
		v.t.Errorf("%s mentions %s.%s, which other modules cannot import", v.of, name.Pkg().Path(), name.Name())
	}
}

// TestProgramsThatImportFnNeedNoAdapters claims that such a program does not get the libraries of the adapters, nor
// those of the command line: the go command adds only modules to its go.mod whose packages it needs.
func TestProgramsThatImportFnNeedNoAdapters(t *testing.T) {
	packages := []string{"list", "-deps", "./fn", "./transformers", "./decision", "./finding", "./api/v1alpha1"}
	for dep := range strings.Lines(mustRun(t, root, "", "go", packages...).stdout) {
		for _, unwanted := range []string{"github.com/kptdev/", "github.com/spf13/", "sigs.k8s.io/kustomize/"} {
			if strings.HasPrefix(dep, unwanted) {
				t.Errorf("it needs %s", dep)
			}
		}
	}
}

// TestAdaptersAreNotLinked claims that the program does not carry the adapters for other Go programs, nor their
// libraries.
func TestAdaptersAreNotLinked(t *testing.T) {
	for dep := range strings.Lines(mustRun(t, root, "", "go", "list", "-deps", ".").stdout) {
		dep = strings.TrimSpace(dep)
		for _, unwanted := range []string{
			module + "/fn/", module + "/transformers/", "github.com/kptdev/", "sigs.k8s.io/kustomize/kyaml/fn/framework",
		} {
			if strings.HasPrefix(dep, unwanted) {
				t.Errorf("%s is linked into %s", dep, filepath.Base(module))
			}
		}
	}
}
