package admission

import (
	"reflect"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/jsonfield"
	"pillion.dev/pillion/internal/podfield"
	"pillion.dev/pillion/internal/podtemplate"
)

// TestListsOfPodSpec fails if a new version of k8s.io/api has a list that policies would combine with the pod's in another way than
// Pillion does.
func TestListsOfPodSpec(t *testing.T) {
	lists := 0
	for _, field := range jsonfield.Of(reflect.TypeFor[corev1.PodSpec]()) {
		if _, elsewhere := v1alpha1.NotInPodSpec(field.Name); !elsewhere && !slices.Contains(arrivesSet, field.Name) {
			lists += checkListsOf(t, field)
		}
	}
	if lists < 10 {
		t.Errorf("only %d lists were found", lists)
	}
	names := jsonfield.Of(reflect.TypeFor[corev1.HostAlias]()).Names()
	if !slices.Equal(names, []string{"ip", "hostnames"}) {
		t.Errorf("a host alias has the fields %v, and extendedAliases writes ip and hostnames", names)
	}
}

// checkListsOf checks a field and those in it, and returns the number of lists.
func checkListsOf(t *testing.T, field jsonfield.Field) int {
	t.Helper()
	of := podfield.Pointed(field.Type)
	lists := 0
	if of.Kind() == reflect.Slice {
		lists++
		checkList(t, field.Name, of.Elem())
		return lists
	}
	if of.Kind() == reflect.Struct && of.PkgPath() == "k8s.io/api/core/v1" && !podtemplate.IsOneChoice(field.Name) {
		for _, part := range jsonfield.Of(of) {
			lists += checkListsOf(t, part)
		}
	}
	return lists
}

func checkList(t *testing.T, name string, entry reflect.Type) {
	t.Helper()
	keys := keyFields[name]
	if podtemplate.IsKeyed(name) != (keys != nil) {
		t.Errorf("%s: the keys in policies are %v", name, keys)
	}
	if keys == nil || podtemplate.IsOneChoice(name) {
		return
	}
	hasMore := len(jsonfield.Of(entry)) > len(keys)
	if isExtended(name) != hasMore {
		t.Errorf("%s: entries have more than their keys: %t, and policies extend them: %t", name, hasMore, isExtended(name))
	}
}
