// Package jsonfield lists the fields of Go structs by their names in JSON. The reader of configs and the generator of their schemas
// both use it, so that they accept the same fields.
package jsonfield

import (
	"reflect"
	"strings"
)

// Field is a field of a struct, by its name in JSON.
type Field struct {
	Name     string
	Type     reflect.Type
	Owner    reflect.Type // the struct that declares it, which may be an embedded one
	GoName   string
	Index    []int // for reflect.Value.FieldByIndex
	Required bool  // it does not have omitempty
}

// Of returns the fields of a struct in the order of their declaration, with those of embedded structs, as in encoding/json.
func Of(t reflect.Type) []Field {
	var fields []Field
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case name == "-" || !f.IsExported():
		case f.Anonymous && name == "":
			for _, inlined := range Of(f.Type) {
				inlined.Index = append([]int{i}, inlined.Index...)
				fields = append(fields, inlined)
			}
		case name != "":
			fields = append(fields, Field{
				Name: name, Type: f.Type, Owner: t, GoName: f.Name, Index: []int{i},
				Required: !strings.Contains(options, "omit"),
			})
		}
	}
	return fields
}
