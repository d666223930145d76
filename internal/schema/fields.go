package schema

import (
	"reflect"
	"strings"
)

// Field is one field of a struct, by the name that people write.
type Field struct {
	Name     string
	Type     reflect.Type
	Owner    reflect.Type // the struct that declares it: an embedded one for an inlined field
	GoName   string
	Index    []int // for reflect.Value.FieldByIndex
	Required bool  // Kubernetes marks what may be left out with omitempty
}

// Fields lists the fields of a struct in the order of declaration. Embedded structs
// without a name of their own are inlined, as encoding/json does.
func Fields(t reflect.Type) []Field {
	var fields []Field
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case name == "-" || !f.IsExported():
		case f.Anonymous && name == "":
			for _, inlined := range Fields(f.Type) {
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
