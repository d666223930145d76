package export

import (
	"slices"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/jsonpointer"
	"pillion.dev/pillion/internal/yaml/node"
)

// metadataEntry is a label or an annotation for the pod template.
type metadataEntry struct {
	field, key string // field is labels or annotations
	value      *node.Node
	policy     v1alpha1.PatchPolicy
}

// metadataEntries returns the labels and annotations of the payload.
func metadataEntries(in *injector.Injector) []metadataEntry {
	var entries []metadataEntry
	for _, patch := range in.PodMetadata {
		add := func(field string, mapping *node.Node) {
			for _, key := range node.Keys(mapping) {
				if value := node.Get(mapping, key); !node.IsNull(value) {
					entries = append(entries, metadataEntry{field, key, value, patch.Policy})
				}
			}
		}
		add("labels", patch.Labels)
		add("annotations", patch.Annotations)
	}
	return entries
}

// metadataPatches returns patches that set labels and annotations by a strategic merge, which creates missing mappings. Because
// a merge may also change the pod's spec, they restore it afterwards.
func (l location) metadataPatches(in *injector.Injector, target Target) []Patch {
	entries := metadataEntries(in)
	if len(entries) == 0 {
		return nil
	}
	var before, after operations
	before.copy(l.pointer("spec"), jsonpointer.New(aside))
	merge := emptyMerge()
	for _, entry := range entries {
		mapping := mappingAt(merge, slices.Concat(l.template, []string{"metadata", entry.field})...)
		node.Set(mapping, entry.key, asYAML11(entry.value))
	}
	after.move(jsonpointer.New(aside), l.pointer("spec"))
	return []Patch{
		{Target: target, Body: before.body(), Comment: in.Name + ", metadata 1 of 3: keep a copy of the pod's spec."},
		{Target: target, Body: merge, Comment: in.Name + ", metadata 2 of 3: set the labels and annotations."},
		{Target: target, Body: after.body(), Comment: in.Name + ", metadata 3 of 3: restore the pod's spec."},
	}
}
