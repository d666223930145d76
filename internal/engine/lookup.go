package engine

import (
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/stamp"
	"pillion.dev/pillion/internal/yaml/node"
)

// Paths of the pod template, as stamps write them.
const (
	annotationsPath = "metadata/annotations"
	volumesPath     = "spec/volumes"
)

// pendingPath is the path of the workload's list of pending initializers, which is outside its pod templates.
const pendingPath = "metadata/initializers/pending"

func isMapping(n *yaml.Node) bool { return n != nil && n.Kind == yaml.MappingNode }

// valueOf returns a field of an entry, or the whole entry if the field is empty.
func valueOf(entry *yaml.Node, field string) *yaml.Node {
	if field == "" {
		return entry
	}
	if strings.HasPrefix(field, resourcesField+".") {
		return node.Get(entry, strings.Split(field, ".")...)
	}
	return node.Get(entry, field)
}

// fieldsBetween returns in which fields two versions of something differ. The field is empty for the whole, if it is not
// a container that is in both. Resources are compared quantity by quantity, because people want to see how much changes.
func fieldsBetween(path string, a, b *yaml.Node) []string {
	switch {
	case node.Equal(a, b):
		return nil
	case !isMapping(a) || !isMapping(b) || !stamp.IsContainers(path):
		return []string{""}
	}
	fields := differingKeys(a, b)
	if i := slices.Index(fields, resourcesField); i >= 0 {
		return slices.Replace(fields, i, i+1, resourcesBetween(node.Get(a, resourcesField), node.Get(b, resourcesField))...)
	}
	return fields
}

const resourcesField = "resources"

// resourcesBetween returns in which quantities the resources of a container differ, such as resources.limits.memory. It is the field
// as a whole if there is another difference, or a name that is a path of its own, such as nvidia.com/gpu.
func resourcesBetween(a, b *yaml.Node) []string {
	whole := []string{resourcesField}
	var fields []string
	for _, kind := range differingKeys(a, b) {
		ofA, ofB := node.Get(a, kind), node.Get(b, kind)
		if !isMapping(ofA) || !isMapping(ofB) {
			return whole
		}
		for _, name := range differingKeys(ofA, ofB) {
			if strings.ContainsAny(name, "./") {
				return whole
			}
			fields = append(fields, resourcesField+"."+kind+"."+name)
		}
	}
	if len(fields) == 0 { // they are not mappings
		return whole
	}
	return fields
}

// differingKeys returns the keys of two mappings whose values differ, sorted.
func differingKeys(a, b *yaml.Node) []string {
	if !isMapping(a) || !isMapping(b) {
		return nil
	}
	inA, inB := node.Values(a), node.Values(b)
	keys := slices.DeleteFunc(append(node.Keys(a), node.Keys(b)...), func(key string) bool { return node.Equal(inA.Get(key), inB.Get(key)) })
	slices.Sort(keys)
	return slices.Compact(keys)
}

func sortedKeys[V any](m map[string]V) []string {
	if len(m) == 0 { // as most parts of stamps are
		return nil
	}
	return slices.Sorted(maps.Keys(m))
}
