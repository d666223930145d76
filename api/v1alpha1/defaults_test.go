package v1alpha1_test

import (
	"slices"
	"testing"

	"pillion.dev/pillion/api/v1alpha1"
)

func TestOnlyAFullNameIncludesANamespaceOfKubernetes(t *testing.T) {
	all := []string{"kube-system", "kube-public", "kube-node-lease"}
	for claim, test := range map[string]struct {
		given *v1alpha1.Namespaces
		want  []string
	}{
		"nothing given":              {nil, all},
		"other namespaces included":  {&v1alpha1.Namespaces{Include: []string{"shop"}}, all},
		"one included by its name":   {&v1alpha1.Namespaces{Include: []string{"shop", "kube-system"}}, all[1:]},
		"all included by patterns":   {&v1alpha1.Namespaces{Include: []string{"*", "kube-*", "kube-syste?"}}, all},
		"an empty list excluded":     {&v1alpha1.Namespaces{Exclude: []string{}}, all},
		"another namespace excluded": {&v1alpha1.Namespaces{Exclude: []string{"vendor"}}, all},
	} {
		t.Run(claim, func(t *testing.T) {
			spec := v1alpha1.SidecarInjectorSpec{Namespaces: test.given}
			spec.Default()
			if got := spec.Namespaces.ReservedNamespaces(); !slices.Equal(got, test.want) {
				t.Errorf("%v are left alone, want %v", got, test.want)
			}
		})
	}
}

func TestDefaultKeepsWhatWasWritten(t *testing.T) {
	spec := v1alpha1.SidecarInjectorSpec{
		Policy:     v1alpha1.PolicyDisabled,
		OnConflict: v1alpha1.OnConflict{Env: v1alpha1.ConflictReplace},
		Containers: []v1alpha1.Container{{Mode: v1alpha1.ModeNative}, {}},
	}
	spec.Default()
	if spec.Policy != v1alpha1.PolicyDisabled || spec.OnConflict.Env != v1alpha1.ConflictReplace ||
		spec.Containers[0].Mode != v1alpha1.ModeNative {
		t.Errorf("what was written is changed: %+v", spec)
	}
	if spec.Containers[1].Mode != v1alpha1.ModeAuto || spec.OnConflict.Volume != v1alpha1.ConflictError ||
		spec.Marker != "pillion.dev/inject" {
		t.Errorf("what was left out is not filled in: %+v", spec)
	}
	if spec.Containers[1].PodInjectPolicy != "" {
		t.Errorf("podInjectPolicy is %q, and what it is by default is the pod's to say", spec.Containers[1].PodInjectPolicy)
	}
}
