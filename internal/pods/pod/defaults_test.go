package pod

import (
	"reflect"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"pillion.dev/pillion/internal/text/jsonfield"
)

func TestFieldsWithDefaultsExist(t *testing.T) {
	types := map[string]reflect.Type{}
	collect(reflect.TypeFor[corev1.PodSpec](), types)
	for f := range defaults() {
		if of := types[f.of]; of == nil || jsonfield.Of(of).Named(f.name) == nil {
			t.Errorf("a pod has no field %s in %s", f.name, f.of)
		}
	}
}

func TestDefaultsOfFields(t *testing.T) {
	for _, c := range []struct {
		of     reflect.Type
		field  string
		want   string
		wanted bool
	}{
		{reflect.TypeFor[corev1.Probe](), "periodSeconds", "10", true},
		{reflect.TypeFor[corev1.GRPCAction](), "service", "", true},
		{reflect.TypeFor[corev1.PodSpec](), "dnsPolicy", "ClusterFirst", true},
		{reflect.TypeFor[corev1.PodSpec](), "securityContext", "", true},
		{reflect.TypeFor[corev1.PodSpec](), "hostNetwork", "", false},
		{reflect.TypeFor[corev1.Container](), "image", "", false},
	} {
		if got, hasDefault := Default(c.of, c.field); got != c.want || hasDefault != c.wanted {
			t.Errorf("the default of %s in %s is %q, %t, want %q, %t", c.field, c.of, got, hasDefault, c.want, c.wanted)
		}
	}
}

// TestZeroValuesThatAreNoDeclaration claims that a pointer to an empty text, such as the type of a hostPath, does not
// make the empty type of a profile something that gets a default.
func TestZeroValuesThatAreNoDeclaration(t *testing.T) {
	for name, want := range map[string]bool{
		"imagePullPolicy": true, "hostPort": true, "protocol": true, "fsType": true, "type": false, "image": false,
	} {
		if IsDefaulted(name) != want {
			t.Errorf("%s is defaulted: %t, want %t", name, !want, want)
		}
	}
}
