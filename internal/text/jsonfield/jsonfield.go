// Package jsonfield lists the fields of Go structs by their names in JSON. The reader of configs and the generator of
// their schemas both use it, so that they accept the same fields.
package jsonfield

import (
	"reflect"
	"strings"
	"sync"
)

// Field is a field of a struct, by its name in JSON.
type Field struct {
	Name     string
	Type     reflect.Type
	Struct   reflect.Type // the struct that declares it, which may be an embedded one
	GoName   string
	Index    []int // for reflect.Value.FieldByIndex
	Required bool  // it does not have omitempty
}

// Fields are the fields of a struct. They are shared and must not be changed.
type Fields []Field

// Names returns the names in JSON.
func (f Fields) Names() []string {
	names := make([]string, len(f))
	for i := range f {
		names[i] = f[i].Name
	}
	return names
}

// Named returns the field with a name in JSON, or nil. Structs are small, so there is no map of them to build.
func (f Fields) Named(name string) *Field {
	for i := len(f) - 1; i >= 0; i-- { // the struct's own field after that of an embedded one
		if f[i].Name == name {
			return &f[i]
		}
	}
	return nil
}

// known holds the fields of types, because payloads with variables are decoded for each pod.
var known sync.Map // reflect.Type to Fields

// Of returns the fields of a struct in the order of their declaration, with those of embedded structs, as in
// encoding/json.
func Of(t reflect.Type) Fields {
	if fields, ok := known.Load(t); ok {
		return fields.(Fields)
	}
	fields := list(t)
	known.Store(t, fields)
	return fields
}

func list(t reflect.Type) Fields {
	fields := make(Fields, 0, t.NumField())
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case name == "-" || !f.IsExported():
		case f.Anonymous && name == "" && f.Type.Kind() == reflect.Struct:
			for _, inlined := range Of(f.Type) {
				inlined.Index = append([]int{i}, inlined.Index...)
				fields = append(fields, inlined)
			}
		case name != "":
			fields = append(fields, Field{
				Name: name, Type: f.Type, Struct: t, GoName: f.Name, Index: f.Index,
				Required: !strings.Contains(options, "omit"),
			})
		}
	}
	return fields
}
