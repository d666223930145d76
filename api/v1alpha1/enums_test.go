package v1alpha1_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"pillion.dev/pillion/api/v1alpha1"
)

func TestAllowedNamesEveryConstantOfEveryEnum(t *testing.T) {
	constants := stringConstants(t)
	checked := 0
	seen := map[reflect.Type]bool{}
	enums := ownStringTypes(reflect.TypeFor[v1alpha1.SidecarInjectorList](), seen)
	for _, enum := range append(enums, ownStringTypes(reflect.TypeFor[v1alpha1.Project](), seen)...) {
		want := constants[enum.Name()]
		if got := v1alpha1.Allowed(reflect.Zero(enum).Interface()); !slices.Equal(got, want) || len(want) == 0 {
			t.Errorf("Allowed(%s) = %v, want the constants of the source: %v", enum.Name(), got, want)
		}
		isOurs := enum != reflect.TypeFor[v1alpha1.PodSecurityLevel]() && // whose values are Kubernetes' own
			enum != reflect.TypeFor[v1alpha1.LoadRestrictor]() // and kustomize's
		if isLower := func(word string) bool { return unicode.IsLower(rune(word[0])) }; isOurs && slices.ContainsFunc(want, isLower) {
			t.Errorf("%s: the values %v are not CamelCase words", enum.Name(), want)
		}
		checked++
	}
	if checked != len(constants) {
		t.Errorf("the config and the project reach %d enums, and the source has %d", checked, len(constants))
	}
}

// stringConstants are the values of the constants of each type, as the source has them.
func stringConstants(t *testing.T) map[string][]string {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	values := map[string][]string{}
	for _, file := range files {
		if !strings.HasSuffix(file, "_test.go") {
			addStringConstants(t, file, values)
		}
	}
	return values
}

func addStringConstants(t *testing.T, file string, values map[string][]string) {
	t.Helper()
	source, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(source, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		typ, ok := spec.Type.(*ast.Ident)
		if !ok || len(spec.Values) == 0 {
			return true
		}
		value, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
		if err != nil {
			t.Fatal(err)
		}
		values[typ.Name] = append(values[typ.Name], value)
		return true
	})
}

// ownStringTypes are the string types of this API that a type is made of.
func ownStringTypes(t reflect.Type, seen map[reflect.Type]bool) []reflect.Type {
	if seen[t] {
		return nil
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		return ownStringTypes(t.Elem(), seen)
	case reflect.Struct:
		var found []reflect.Type
		for i := range t.NumField() {
			found = append(found, ownStringTypes(t.Field(i).Type, seen)...)
		}
		return found
	case reflect.String:
		if t.PkgPath() == reflect.TypeFor[v1alpha1.Action]().PkgPath() {
			return []reflect.Type{t}
		}
	}
	return nil
}
