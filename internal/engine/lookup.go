package engine

import (
	"maps"
	"slices"

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

var containerLists = []string{"containers", "initContainers"}

func isMapping(n *yaml.Node) bool { return n != nil && n.Kind == yaml.MappingNode }

// valueOf returns a field of an entry, or the whole entry if the field is empty.
func valueOf(entry *yaml.Node, field string) *yaml.Node {
	if field == "" {
		return entry
	}
	return node.Get(entry, field)
}

// fieldsBetween returns in which fields two versions of something differ. The field is empty for the whole, if it is not
// a container that is in both.
func fieldsBetween(path string, a, b *yaml.Node) []string {
	switch {
	case node.Equal(a, b):
		return nil
	case !isMapping(a) || !isMapping(b) || !stamp.IsContainers(path):
		return []string{""}
	}
	inA, inB := node.Values(a), node.Values(b)
	fields := slices.DeleteFunc(append(node.Keys(a), node.Keys(b)...), func(field string) bool { return node.Equal(inA(field), inB(field)) })
	slices.Sort(fields)
	return slices.Compact(fields)
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
