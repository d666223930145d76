package schema

import (
	"fmt"
	"reflect"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/text/jsonfield"
)

// builder creates a definition for each struct.
type builder struct {
	comments    comments
	definitions map[string]*Schema
	types       map[string]reflect.Type // by the name of the definition, to detect types of one name
}

// newBuilder returns a builder with the Go comments in the directory of the API.
func newBuilder(apiDir string) (*builder, error) {
	comments, err := readComments(apiDir)
	if err != nil {
		return nil, fmt.Errorf("read the comments of the Go types: %w", err)
	}
	return &builder{comments: comments, definitions: map[string]*Schema{}, types: map[string]reflect.Type{}}, nil
}

// of returns the schema of a type, which is a reference for a struct.
func (b *builder) of(t reflect.Type) *Schema {
	switch t {
	case reflect.TypeFor[resource.Quantity]():
		return &Schema{AnyOf: []*Schema{{Type: "string"}, {Type: "number"}}}
	case reflect.TypeFor[intstr.IntOrString]():
		return &Schema{AnyOf: []*Schema{{Type: "integer"}, {Type: "string"}}}
	case reflect.TypeFor[metav1.Time]():
		return &Schema{Type: "string", Format: "date-time"}
	case reflect.TypeFor[metav1.FieldsV1]():
		return &Schema{Type: "object"}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return b.of(t.Elem())
	case reflect.Struct:
		return b.structure(t)
	case reflect.Map:
		return &Schema{Type: "object", Additional: b.of(t.Elem())}
	case reflect.Slice:
		return &Schema{Type: "array", Items: b.of(t.Elem())}
	case reflect.String:
		return &Schema{Type: "string", Enum: v1alpha1.Allowed(reflect.Zero(t).Interface())}
	case reflect.Bool:
		return &Schema{Type: "boolean"}
	case reflect.Int, reflect.Int32, reflect.Int64:
		return &Schema{Type: "integer"}
	}
	panic(fmt.Sprintf("there is no schema for %s; add it to builder.of", t))
}

func (b *builder) structure(t reflect.Type) *Schema {
	name := t.Name()
	if known, ok := b.types[name]; ok {
		if known != t {
			panic(fmt.Sprintf("%s and %s have one name; give one of them another definition", known, t))
		}
		return refTo(name)
	}
	b.types[name] = t
	definition := &Schema{Type: "object", Description: b.comments.ofType(t), Properties: map[string]*Schema{}, Additional: false}
	b.definitions[name] = definition
	defaults := defaultsOf(t)
	for _, field := range jsonfield.Of(t) {
		if isElsewhere(t, field.Name) {
			continue
		}
		property := b.of(field.Type)
		property.Description = b.comments.ofField(field)
		property.Default = defaultOf(defaults, field)
		definition.Properties[field.Name] = property
		if field.Required {
			definition.Required = append(definition.Required, field.Name)
		}
	}
	refine(t, definition)
	return refTo(name)
}

// defaultsOf returns a value of the type with its defaults, or an invalid one if it has none.
func defaultsOf(t reflect.Type) reflect.Value {
	value := reflect.New(t)
	defaulter, ok := value.Interface().(interface{ Default() })
	if !ok {
		return reflect.Value{}
	}
	defaulter.Default()
	return value.Elem()
}

// defaultOf returns the default of a field, or nil. The defaults of a struct are those of its fields.
func defaultOf(defaults reflect.Value, field jsonfield.Field) any {
	if !defaults.IsValid() {
		return nil
	}
	value := defaults.FieldByIndex(field.Index)
	switch value.Kind() {
	case reflect.String, reflect.Slice:
		if value.Len() > 0 {
			return value.Interface()
		}
	}
	return nil
}
