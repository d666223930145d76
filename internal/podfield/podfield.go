// Package podfield knows the fields of a pod: their types, and which version of Kubernetes introduced them.
package podfield

import "reflect"

//go:generate go run ./generate table.go

// field is a field of a type of k8s.io/api/core/v1, by its name in JSON. Those of an embedded type are fields of the outer one.
type field struct{ of, name string }

// Since returns the minor version of Kubernetes 1 that introduced a field, or 0 if it is at least as old as admission policies are. A field
// that came with its type is as old as that, and the table has the field of that type. An unknown field is newer than the table.
func Since(t reflect.Type, name string) int {
	if t == nil || t.PkgPath() != "k8s.io/api/core/v1" {
		return 0
	}
	if Type(t, name) == nil {
		return Last + 1
	}
	return since[field{t.Name(), name}]
}
