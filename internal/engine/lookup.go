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

// valueOf returns a field of an entry, or the whole entry if the field is empty.
func valueOf(entry *yaml.Node, field string) *yaml.Node {
	if field == "" {
		return entry
	}
	return node.Get(entry, field)
}

// ownersOf returns stamps with their keys, in order.
func ownersOf(stamps map[string]*stamp.Stamp) []stamp.Owner {
	var owners []stamp.Owner
	for _, key := range sortedKeys(stamps) {
		owners = append(owners, stamp.Owner{Key: key, Stamp: stamps[key]})
	}
	return owners
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
