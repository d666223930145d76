package export

import (
	"slices"
	"strings"

	"pillion.dev/pillion/internal/jsonpointer"
	"pillion.dev/pillion/internal/pod"
)

// location is where some kinds have their pod template.
type location struct {
	kinds    []pod.Kind
	template []string // the keys on the path to the pod template
}

// locations returns the locations of the injector's pod templates.
func (s scope) locations() []location {
	var locations []location
	for _, kind := range s.kinds {
		template := strings.FieldsFunc(kind.Paths[0], func(r rune) bool { return r == '.' })
		i := slices.IndexFunc(locations, func(l location) bool { return slices.Equal(l.template, template) })
		if i < 0 {
			i = len(locations)
			locations = append(locations, location{template: template})
		}
		locations[i].kinds = append(locations[i].kinds, kind)
	}
	return locations
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
