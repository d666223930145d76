package export

import (
	"slices"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/yaml/node"
)

// metadataKey is a label or an annotation of the pod template.
type metadataKey struct {
	mapping, name string
	value         *yaml.Node
	policy        v1alpha1.PatchPolicy
}

// metadataKeys are the labels and annotations of the payload.
func metadataKeys(in *injector.Injector) []metadataKey {
	var keys []metadataKey
	for _, patch := range in.PodMetadata {
		for _, m := range []struct {
			mapping string
			values  *yaml.Node
		}{{"labels", patch.Labels}, {"annotations", patch.Annotations}} {
			for _, name := range node.Keys(m.values) {
				if value := node.Get(m.values, name); !node.IsNull(value) {
					keys = append(keys, metadataKey{m.mapping, name, value, patch.Policy})
				}
			}
		}
	}
	return keys
}

// retained are those that the pod may have already, and then keeps: it cannot be left to the
// pod, so it stops the build.
func retained(in *injector.Injector) []metadataKey {
	return slices.DeleteFunc(metadataKeys(in), func(key metadataKey) bool { return key.policy != v1alpha1.PatchRetain })
}

// metadata sets labels and annotations by a strategic merge, which makes the mappings where they
// are missing. The spec is kept as it is meanwhile.
func (s site) metadata(in *injector.Injector, target Target) []Patch {
	keys := metadataKeys(in)
	if len(keys) == 0 {
		return nil
	}
	var before, after operations
	before.copy(pointer(s.spec()...), pointer(aside))
	merge := anything()
	for _, key := range keys {
		node.Set(mappingAt(merge, append(slices.Clone(s.template), "metadata", key.mapping)...), key.name, legible(key.value))
	}
	after.move(pointer(aside), pointer(s.spec()...))
	return []Patch{
		{Target: target, Body: before.body(), Why: in.Name + ", metadata 1 of 3: keep the pod's spec, which the next patch is not about."},
		{Target: target, Body: merge, Why: in.Name + ", metadata 2 of 3: set it."},
		{Target: target, Body: after.body(), Why: in.Name + ", metadata 3 of 3: take the pod's spec back."},
	}
}
