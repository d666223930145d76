// Generate writes a table of package pod: the fields of pods that are newer than the first version of Kubernetes with admission
// policies. It reads the types of k8s.io/api of each version, from the one to the version in go.mod, and downloads those that are missing.
package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// first is the minor version of Kubernetes 1 that all fields are compared with.
const first = 30

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: generate FILE")
	}
	table, err := newTable()
	if err != nil {
		log.Fatal(err)
	}
	text, err := table.source()
	if err == nil {
		err = os.WriteFile(os.Args[1], text, 0o644)
	}
	if err != nil {
		log.Fatal(err)
	}
}

// table has the first version of each type, and of each field by type.
type table struct {
	last   int
	types  map[string]int
	fields map[string]map[string]int
	pod    []string            // the types that a pod spec consists of, in the last version
	kept   map[string][]string // their fields in the last version: alpha fields are sometimes removed again
}

func newTable() (*table, error) {
	used, err := run("go", "list", "-m", "-f", "{{.Version}}", "k8s.io/api")
	if err != nil {
		return nil, err
	}
	version := strings.TrimSpace(string(used))
	last, err := strconv.Atoi(strings.Split(version, ".")[1])
	if err != nil {
		return nil, fmt.Errorf("version %s of k8s.io/api: %w", version, err)
	}
	t := &table{last: last, types: map[string]int{}, fields: map[string]map[string]int{}}
	for minor := first; minor <= last; minor++ {
		of := fmt.Sprintf("v0.%d.0", minor)
		if minor == last {
			of = version
		}
		types, err := readTypes(of)
		if err != nil {
			return nil, err
		}
		t.add(minor, types)
	}
	return t, nil
}

func run(name string, args ...string) ([]byte, error) {
	command := exec.Command(name, args...)
	command.Stderr = os.Stderr
	output, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", strings.Join(command.Args, " "), err)
	}
	return output, nil
}

// structs are the struct types of a package, by name.
type structs map[string]*ast.StructType

// readTypes returns the types of core/v1 in a version of k8s.io/api.
func readTypes(version string) (structs, error) {
	output, err := run("go", "mod", "download", "-json", "k8s.io/api@"+version)
	if err != nil {
		return nil, err
	}
	var module struct{ Dir string }
	if err := json.Unmarshal(output, &module); err != nil {
		return nil, err
	}
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(module.Dir, "core", "v1", "types.go"), nil, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	found := structs{}
	ast.Inspect(file, func(n ast.Node) bool {
		if spec, isType := n.(*ast.TypeSpec); isType {
			if structure, isStruct := spec.Type.(*ast.StructType); isStruct {
				found[spec.Name.Name] = structure
			}
		}
		return true
	})
	return found, nil
}

// field is a field of a struct, with the name of its type in the same package, if it has one.
type field struct{ name, of string }

// fieldsOf returns the fields of a type and of those that are embedded in it.
func (s structs) fieldsOf(name string) []field {
	var all []field
	if s[name] == nil {
		return nil
	}
	for _, f := range s[name].Fields.List {
		of := typeName(f.Type)
		if len(f.Names) == 0 {
			all = append(all, s.fieldsOf(of)...)
			continue
		}
		tag, err := strconv.Unquote(f.Tag.Value)
		if err != nil {
			continue
		}
		jsonName, _, _ := strings.Cut(reflect.StructTag(tag).Get("json"), ",")
		all = append(all, field{jsonName, of})
	}
	return all
}

// typeName returns the name of the type that an expression is, points to, or has as its elements; or "" if it is of another package.
func typeName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.StarExpr:
		return typeName(e.X)
	case *ast.ArrayType:
		return typeName(e.Elt)
	case *ast.MapType:
		return typeName(e.Value)
	default:
		return ""
	}
}

// add adds the types of a version. The last one decides which of them are part of a pod.
func (t *table) add(minor int, types structs) {
	for name := range types {
		if _, known := t.types[name]; !known {
			t.types[name], t.fields[name] = minor, map[string]int{}
		}
		for _, f := range types.fieldsOf(name) {
			if _, known := t.fields[name][f.name]; !known {
				t.fields[name][f.name] = minor
			}
		}
	}
	if minor < t.last {
		return
	}
	t.pod, t.kept = types.reachable("PodSpec"), map[string][]string{}
	for _, name := range t.pod {
		for _, f := range types.fieldsOf(name) {
			t.kept[name] = append(t.kept[name], f.name)
		}
	}
}

// reachable returns the types that the fields of a type have, directly or indirectly, and the type itself.
func (s structs) reachable(from string) []string {
	seen := map[string]bool{}
	var visit func(name string)
	visit = func(name string) {
		if s[name] == nil || seen[name] {
			return
		}
		seen[name] = true
		for _, f := range s.fieldsOf(name) {
			visit(f.of)
		}
	}
	visit(from)
	names := make([]string, 0, len(seen))
	for name := range seen {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// source returns the table as Go source. A field that is as old as its type is left out: the field of that type is in the table.
func (t *table) source() ([]byte, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "// Code generated by internal/pod/generate from k8s.io/api. DO NOT EDIT.\n\npackage pod\n\n")
	fmt.Fprintf(&b, "// Last is the minor version of Kubernetes 1 that the table ends with.\nconst Last = %d\n\n", t.last)
	fmt.Fprintf(&b, "// since has the first minor version of the fields that are newer than 1.%d.\nvar since = map[field]int{\n", first)
	for _, name := range t.pod {
		fields := slices.DeleteFunc(t.kept[name], func(f string) bool { return t.fields[name][f] <= t.types[name] })
		slices.SortFunc(fields, func(a, b string) int {
			return cmp.Or(cmp.Compare(t.fields[name][a], t.fields[name][b]), cmp.Compare(a, b))
		})
		for _, f := range fields {
			fmt.Fprintf(&b, "\t{%q, %q}: %d,\n", name, f, t.fields[name][f])
		}
	}
	b.WriteString("}\n")
	return format.Source(b.Bytes())
}
