package export

import (
	"slices"
	"strings"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/jsonpointer"
	"pillion.dev/pillion/internal/podtemplate"
)

// location is where some kinds have their pod template.
type location struct {
	kinds    []podtemplate.Kind
	template []string // the keys on the path to the pod template
	finishes bool     // whether the pods are meant to finish, and sidecars become native for it
}

// locations returns the locations of the injector's pod templates.
func (s scope) locations(in *injector.Injector) []location {
	var locations []location
	for _, kind := range s.kinds {
		template := strings.FieldsFunc(kind.Paths[0], func(r rune) bool { return r == '.' })
		finishes := kind.Finishes && nativeDependsOnPod(in)
		i := slices.IndexFunc(locations, func(l location) bool { return slices.Equal(l.template, template) && l.finishes == finishes })
		if i < 0 {
			i = len(locations)
			locations = append(locations, location{template: template, finishes: finishes})
		}
		locations[i].kinds = append(locations[i].kinds, kind)
	}
	return locations
}

// hasFinishing reports whether there are pods that are meant to finish, and sidecars that become native for it.
func (s scope) hasFinishing(in *injector.Injector) bool {
	return slices.ContainsFunc(s.locations(in), func(l location) bool { return l.finishes })
}

// nativeDependsOnPod reports whether some sidecar becomes native only in pods that are meant to finish.
func nativeDependsOnPod(in *injector.Injector) bool {
	return in.Spec.Jobs == v1alpha1.JobsNative && slices.ContainsFunc(in.Containers, func(c injector.Container) bool {
		return c.Mode == v1alpha1.ModeAuto
	})
}

// pointer returns a JSON pointer into the pod template.
func (l location) pointer(keys ...string) string {
	return jsonpointer.New(slices.Concat(l.template, keys)...)
}

// field returns a JSON pointer to a field of the pod's spec.
func (l location) field(name string) string { return l.pointer("spec", name) }

// owners returns the paths of the objects that may have a marker: the workload, the jobs of a CronJob, and the pod template.
func (l location) owners() [][]string {
	owners := [][]string{nil}
	for i, key := range l.template {
		if strings.HasSuffix(strings.ToLower(key), "template") {
			owners = append(owners, l.template[:i+1])
		}
	}
	return owners
}
