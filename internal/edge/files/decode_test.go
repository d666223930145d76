package files

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/api/types"
)

// TestKustomizationHasKustomizesFields compares the fields with those of kustomize's own type: they have the same names
// and kinds, and no list of paths is missing.
func TestKustomizationHasKustomizesFields(t *testing.T) {
	nameOf := func(f reflect.StructField) string {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		return name
	}
	ours := map[string]reflect.Kind{}
	for field := range reflect.TypeFor[kustomization]().Fields() {
		ours[nameOf(field)] = field.Type.Kind()
	}
	for field := range reflect.TypeFor[types.Kustomization]().Fields() {
		name := nameOf(field)
		kind, isOurs := ours[name]
		delete(ours, name)
		if isOurs && kind != field.Type.Kind() {
			t.Errorf("%s is a %s in kustomize", name, field.Type.Kind())
		}
		if isList := field.Type == reflect.TypeFor[[]string](); isList && !isOurs && name != "buildMetadata" {
			t.Errorf("%s may have paths, and is not read", name)
		}
	}
	for name := range ours {
		t.Errorf("kustomize has no field %s", name)
	}
}

func TestAKustomizationThatIsTooMuchIsRefused(t *testing.T) {
	long := strings.Repeat("x", 100_000)
	nested := "a: &a x\n"
	for _, letter := range "bcdefgh" {
		nested += fmt.Sprintf("%c: &%[1]c [%s]\n", letter, strings.Repeat(fmt.Sprintf("*%c,", letter-1), 12))
	}
	for name, text := range map[string]string{
		"a long value many times":    "a: &a " + long + "\nresources: [" + strings.Repeat("*a,", 100_000) + "]\n",
		"aliases of aliases":         nested,
		"an alias in its own anchor": "a: &a [*a]\n",
		"many directives":            strings.Repeat("%TAG !a! b\n", 100_000) + "---\nresources: []\n",
		"a list":                     "[a]\n",
		"a broken text":              "resources: [a\n",
	} {
		if err := DecodeKustomization([]byte(text), new(kustomization)); err == nil {
			t.Errorf("%s is read", name)
		}
	}
}
