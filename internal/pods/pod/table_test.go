package pod

import (
	"reflect"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
)

// TestRowsAreOfFieldsOfPods follows the paths of the table through the types of Kubernetes.
func TestRowsAreOfFieldsOfPods(t *testing.T) {
	for _, row := range table {
		if row.Path == "spec/"+PostRenderers {
			continue
		}
		of := reflect.TypeFor[corev1.PodTemplateSpec]()
		for step := range strings.SplitSeq(row.Path, "/") {
			if of = fieldType(of, step); of == nil {
				t.Errorf("%s: a pod has no %s there", row.Path, step)
				break
			}
		}
		for _, field := range append(row.Keys[:len(row.Keys):len(row.Keys)], row.Synonym) {
			above := reflect.TypeFor[corev1.PodSpec]()
			if field != row.Synonym {
				above = fieldType(of, anyEntry)
			}
			if field != "" && fieldType(above, field) == nil {
				t.Errorf("%s: there is no field %s", row.Path, field)
			}
		}
	}
}

// TestListsWithKeysHaveRows fails if a new version of k8s.io/api has a list that the API server merges by a key, and
// that has no row.
func TestListsWithKeysHaveRows(t *testing.T) {
	if found := checkLists(t, reflect.TypeFor[corev1.PodSpec](), "spec"); found < 15 {
		t.Errorf("only %d lists were found", found)
	}
}

// checkLists returns the number of lists with keys.
func checkLists(t *testing.T, of reflect.Type, path string) (found int) {
	t.Helper()
	for field := range of.Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		at := strings.TrimSuffix(path+"/"+name, "/") // the fields of an embedded type are those of the outer one
		inner := field.Type
		for inner.Kind() == reflect.Pointer || inner.Kind() == reflect.Slice {
			inner = inner.Elem()
		}
		if key := field.Tag.Get("patchMergeKey"); key != "" {
			found++
			if row := At(at); len(row.Keys) == 0 || row.Keys[0] != key {
				t.Errorf("%s: the keys in the table are %v, and the API server's is %s", at, row.Keys, key)
			}
			at += "/" + anyEntry
		}
		if inner.Kind() == reflect.Struct && inner.PkgPath() == "k8s.io/api/core/v1" {
			found += checkLists(t, inner, at)
		}
	}
	return found
}

// fieldType returns the type of a field by its name in JSON, or of the entries of a list, or nil.
func fieldType(of reflect.Type, name string) reflect.Type {
	if name == anyEntry {
		return Element(of)
	}
	return Type(of, name)
}
