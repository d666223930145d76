package pod

import (
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"pillion.dev/pillion/internal/text/jsonfield"
)

func TestFieldsOfTheTableExist(t *testing.T) {
	types := map[string]reflect.Type{}
	collect(reflect.TypeFor[corev1.PodSpec](), types)
	for f, minor := range since {
		of := types[f.of]
		if of == nil || jsonfield.Of(of).Named(f.name) == nil {
			t.Errorf("a pod has no field %s in %s", f.name, f.of)
			continue
		}
		if got := Since(of, f.name); got != minor || got > Last {
			t.Errorf("%s in %s is in 1.%d, want 1.%d and at most 1.%d", f.name, f.of, got, minor, Last)
		}
	}
}

func TestTableEndsWithTheVersionInGoMod(t *testing.T) {
	text, err := os.ReadFile("../../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprintf("\tk8s.io/api v0.%d.", Last); !strings.Contains(string(text), want) {
		t.Errorf("go.mod does not have %q: run go generate ./internal/pods/pod", want)
	}
}

// collect adds the structs that a type consists of.
func collect(t reflect.Type, types map[string]reflect.Type) {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		collect(t.Elem(), types)
	case reflect.Struct:
		if types[t.Name()] != nil || t.PkgPath() != "k8s.io/api/core/v1" {
			return
		}
		types[t.Name()] = t
		for _, f := range jsonfield.Of(t) {
			collect(f.Type, types)
		}
	}
}

func TestSince(t *testing.T) {
	for _, c := range []struct {
		of    reflect.Type
		field string
		want  int
	}{
		{reflect.TypeFor[corev1.Container](), "restartPolicyRules", 34},
		{reflect.TypeFor[corev1.Volume](), "image", 31}, // of an embedded type
		{reflect.TypeFor[corev1.Container](), "image", 0},
		{reflect.TypeFor[corev1.Container](), "zebra", Last + 1},
		{reflect.TypeFor[corev1.HTTPGetAction](), "protocol", 37},
		{reflect.TypeFor[field](), "image", 0},
		{nil, "image", 0},
	} {
		if got := Since(c.of, c.field); got != c.want {
			t.Errorf("%s in %v is in 1.%d, want 1.%d", c.field, c.of, got, c.want)
		}
	}
}
