package transformers

import (
	"reflect"
	"strings"
)

// fieldOf finds a field of a Kubernetes type by its JSON name: its type, lists and pointers
// taken off, and the key by which Kubernetes merges its entries where it is such a list.
func fieldOf(t reflect.Type, name string) (reflect.Type, string) {
	if t == nil || t.Kind() != reflect.Struct {
		return nil, ""
	}
	for field := range t.Fields() {
		jsonName, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if jsonName == "" && field.Anonymous {
			if inner, key := fieldOf(field.Type, name); inner != nil {
				return inner, key
			}
		}
		if jsonName == name {
			inner := field.Type
			for inner.Kind() == reflect.Pointer || inner.Kind() == reflect.Slice {
				inner = inner.Elem()
			}
			return inner, field.Tag.Get("patchMergeKey")
		}
	}
	return nil, ""
}
