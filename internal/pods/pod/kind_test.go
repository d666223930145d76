package pod

import (
	"reflect"
	"slices"
	"testing"

	"pillion.dev/pillion/api/v1alpha1"
)

// TestDeclaredPathsReplaceBuiltInOnes checks the one rule for built-in kinds: a declaration replaces where their pods
// are, those of several injectors together, and nothing else that is known about them.
func TestDeclaredPathsReplaceBuiltInOnes(t *testing.T) {
	for _, built := range builtIn() {
		declares := func(templates, specs []string) []v1alpha1.Workload {
			return []v1alpha1.Workload{{Group: built.Group, Kind: built.Kind, PodTemplates: templates, PodSpecs: specs}}
		}
		for _, test := range []struct {
			claim     string
			declared  [][]v1alpha1.Workload
			templates []string
			specs     []string
		}{
			{"not declared", nil, built.Paths, built.Specs},
			{"without pods", [][]v1alpha1.Workload{declares([]string{}, nil)}, nil, nil},
			{"other pods", [][]v1alpha1.Workload{declares([]string{"spec.a"}, []string{"spec.b"})}, []string{"spec.a"}, []string{"spec.b"}},
			{
				"by two injectors",
				[][]v1alpha1.Workload{declares([]string{"spec.a"}, nil), declares([]string{"spec.a", "spec.c"}, nil)},
				[]string{"spec.a", "spec.c"},
				nil,
			},
		} {
			got := NewKinds(test.declared...)[[2]string{built.Group, built.Kind}]
			want := built
			want.Resource = plural(built.Kind)
			if want.IsDeclared = test.declared != nil; want.IsDeclared {
				want.Parts = nil
			}
			want.Paths = sorted(test.templates)
			want.Specs = sorted(test.specs)
			got.Paths = sorted(got.Paths)
			got.Specs = sorted(got.Specs)
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s, %s:\ngot  %+v\nwant %+v", built.Kind, test.claim, got, want)
			}
		}
	}
}

// sorted returns a list of paths in one order, and nil for an empty one.
func sorted(paths []string) []string {
	return slices.Sorted(slices.Values(paths))
}
