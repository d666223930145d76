package pod

import (
	"reflect"

	"pillion.dev/pillion/internal/text/jsonfield"
)

//go:generate go run ./generate since.go

// field is a field of a type of k8s.io/api/core/v1, by its name in JSON. Those of an embedded type are fields of the
// outer one.
type field struct{ of, name string }

// Since returns the minor version of Kubernetes 1 that introduced a field, or 0 if it is at least as old as admission
// policies are. A field that came with its type is as old as that, and the table has the field of that type. An unknown
// field is newer than the table.
func Since(t reflect.Type, name string) int {
	if t == nil || t.PkgPath() != "k8s.io/api/core/v1" {
		return 0
	}
	if Type(t, name) == nil {
		return Last + 1
	}
	return since[field{t.Name(), name}]
}

// Type returns the type of a field of a struct or a map, by its name in JSON, or nil. What a map holds is never left
// out by the API server, as if it were a pointer.
func Type(t reflect.Type, name string) reflect.Type {
	switch t = Pointed(t); {
	case t == nil:
		return nil
	case t.Kind() == reflect.Map:
		return reflect.PointerTo(t.Elem())
	case t.Kind() == reflect.Struct:
		if field := jsonfield.Of(t).Named(name); field != nil {
			return field.Type
		}
	}
	return nil
}

// Pointed returns the type that a pointer points to, or the type itself.
func Pointed(t reflect.Type) reflect.Type {
	if t != nil && t.Kind() == reflect.Pointer {
		return t.Elem()
	}
	return t
}

// Element returns the type of the entries of a list, or nil.
func Element(t reflect.Type) reflect.Type {
	if t = Pointed(t); t != nil && t.Kind() == reflect.Slice {
		return t.Elem()
	}
	return nil
}
