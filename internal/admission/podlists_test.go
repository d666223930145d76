package admission

import (
	"reflect"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"pillion.dev/pillion/internal/jsonfield"
	"pillion.dev/pillion/internal/pod"
)

// TestListsThatGrow fails if a list grows by the fields of its entries that a policy would not combine in this way.
func TestListsThatGrow(t *testing.T) {
	for _, field := range jsonfield.Of(reflect.TypeFor[corev1.PodSpec]()).Names() {
		if pod.InSpec(field).Grows != (field == "hostAliases") {
			t.Errorf("%s: policies extend only the entries of hostAliases", field)
		}
	}
	names := jsonfield.Of(reflect.TypeFor[corev1.HostAlias]()).Names()
	if !slices.Equal(names, []string{"ip", "hostnames"}) {
		t.Errorf("a host alias has the fields %v, and extendedAliases writes ip and hostnames", names)
	}
}
