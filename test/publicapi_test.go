package test

import (
	"go/types"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

const module = "pillion.dev/pillion"

// TestPublicPackagesMentionNoInternalTypes claims that other modules can write down every type of the Go API.
func TestPublicPackagesMentionNoInternalTypes(t *testing.T) {
	loaded, err := packages.Load(&packages.Config{Dir: root, Mode: packages.NeedName | packages.NeedTypes},
		"./api/v1alpha1", "./finding", "./fn/...", "./transformers")
	if err != nil || packages.PrintErrors(loaded) > 0 {
		t.Fatal(err)
	}
	if len(loaded) < 6 {
		t.Errorf("there are only %d packages", len(loaded))
	}
	for _, pkg := range loaded {
		if pkg.Name == "main" {
			continue
		}
		for _, name := range pkg.Types.Scope().Names() {
			if object := pkg.Types.Scope().Lookup(name); object.Exported() {
				v := mentions{t: t, of: pkg.PkgPath + "." + name, seen: map[types.Type]bool{}}
				v.object(object)
			}
		}
	}
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

// TestAdaptersAreNotLinked claims that the program does not carry the adapters for other Go programs, nor their libraries.
func TestAdaptersAreNotLinked(t *testing.T) {
	list := exec.Command("go", "list", "-deps", ".")
	list.Dir = root
	deps, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	for dep := range strings.Lines(string(deps)) {
		dep = strings.TrimSpace(dep)
		for _, unwanted := range []string{module + "/fn/", "github.com/kptdev/", "sigs.k8s.io/kustomize/kyaml/fn/framework"} {
			if strings.HasPrefix(dep, unwanted) {
				t.Errorf("%s is linked into %s", dep, filepath.Base(module))
			}
		}
	}
}
