package export

import (
	"slices"

	"k8s.io/apimachinery/pkg/types"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/jsonpointer"
	"pillion.dev/pillion/internal/selection"
	"pillion.dev/pillion/internal/stamp"
	"pillion.dev/pillion/internal/yaml/node"
)

const (
	// aside is the field that keeps a copy of the object during a strategic merge, because the merge drops variables and
	// ports that a container has twice, and leaves empty mappings behind.
	aside = "pillion"
	// control is a container that every pod has during the merge. Its test shows how kustomize treats a name that is taken.
	control = "pillion-export"
)

// patches returns patches that keep a copy of each object, check by a strategic merge whether the names of the payload are
// free, and add the payload to the copy.
func (l location) patches(p payload, target Target, name types.NamespacedName) []Patch {
	in := p.injector
	return append([]Patch{
		{Target: target, Body: l.keepCopy(), Comment: in.Name + ", 1 of 3: keep a copy of the object."},
		{Target: target, Body: l.addPlaceholders(p), Comment: in.Name + ", 2 of 3: " +
			"add a placeholder for each name of the sidecar that the pod does not have."},
		{Target: target, Body: l.inject(p, name), Comment: in.Name + ", 3 of 3: " +
			"stop the build if a placeholder is missing or a marker is set; otherwise use the copy, with the sidecar added."},
	}, l.metadataPatches(in, target)...)
}

// keepCopy returns the first patch.
func (l location) keepCopy() *node.Node {
	var o operations
	o.absent(jsonpointer.New(aside))
	o.add(jsonpointer.New(aside), flowMapping())
	o.copy("/metadata", jsonpointer.New(aside, "metadata"))
	o.copy("/spec", jsonpointer.New(aside, "spec"))
	o.add(entryAt(l.field(containers), 0), nameOnly(control))
	return o.body()
}

// addPlaceholders returns the second patch, a strategic merge that creates what the third patch tests.
func (l location) addPlaceholders(p payload) *node.Node {
	merge := emptyMerge()
	for _, owner := range l.owners() {
		metadata := mappingAt(merge, slices.Concat(owner, []string{"metadata"})...)
		for _, field := range []string{"annotations", "labels"} {
			// An empty mapping would not do, because kustomize removes it from the metadata of the object itself.
			node.Set(metadata, field, flowMapping(node.String("pillion.dev/export"), node.String("placeholder")))
		}
	}
	spec := mappingAt(merge, slices.Concat(l.template, []string{"spec"})...)
	for _, list := range p.podLists() {
		names := list.names
		if list.field == containers {
			names = append(slices.Clone(names), control)
		}
		entries := make([]*node.Node, len(names))
		for i, name := range names {
			entries[i] = unlessPresent(name)
		}
		node.Set(spec, list.field, node.Sequence(entries...))
	}
	return merge
}

// unlessPresent returns an entry that adds a placeholder to a list that does not have the name. If the list has it, kustomize
// ignores the $patch directive. A merge without the directive would not show an entry that has nothing except its name. If
// kustomize starts to replace entries, it replaces the control, too, and every build stops.
func unlessPresent(name string) *node.Node {
	entry := placeholder(name)
	entry.Content = append(entry.Content, node.String("$patch"), node.String("replace"))
	return entry
}

// placeholder returns an entry that no pod has.
func placeholder(name string) *node.Node {
	entry := nameOnly(name)
	entry.Content = append(entry.Content, node.String("pillion"), node.String("placeholder"))
	return entry
}

func nameOnly(name string) *node.Node {
	return flowMapping(node.String("name"), asYAML11(node.String(name)))
}

// inject returns the third patch, which tests what the merge created, and replaces the object by the copy with the payload.
func (l location) inject(p payload, name types.NamespacedName) *node.Node {
	var o operations
	l.guard(&o, p.injector, name)
	lists := p.podLists()
	for _, list := range lists {
		for i, name := range list.names {
			o.test(entryAt(l.field(list.field), i), placeholder(name))
		}
	}
	o.test(entryAt(l.field(containers), len(lists[0].names)), nameOnly(control))
	for _, list := range lists {
		if !list.extends {
			continue
		}
		for range list.names {
			o.remove(entryAt(l.field(list.field), 0))
		}
		o.move(l.field(list.field), jsonpointer.New(aside)+l.field(list.field))
	}
	o.move(jsonpointer.New(aside, "metadata"), "/metadata")
	o.move(jsonpointer.New(aside, "spec"), "/spec")
	o.remove(jsonpointer.New(aside))
	p.add(&o, l)
	return o.body()
}

// guard adds tests that stop the build for a pod that Pillion may skip or treat differently.
func (l location) guard(o *operations, in *injector.Injector, name types.NamespacedName) {
	if name.Namespace != "" {
		o.test("/metadata/namespace", asYAML11(node.String(name.Namespace)))
	}
	if name.Name != "" {
		o.test("/metadata/name", asYAML11(node.String(name.Name)))
	}
	o.absent("/metadata/uid")
	o.absent("/metadata/initializers")
	for _, owner := range l.owners() {
		metadata := jsonpointer.New(owner...) + "/metadata"
		o.absent(metadata + jsonpointer.New("annotations", in.Spec.Marker))
		o.absent(metadata + jsonpointer.New("labels", in.Spec.Marker))
		o.absent(metadata + jsonpointer.New("annotations", selection.InitializerAnnotation(in.Name)))
	}
	o.absent(l.pointer("metadata", "annotations", stamp.Key(in.Name)))
	if len(l.template) == 0 {
		o.absent(jsonpointer.New("metadata", "annotations", "kubernetes.io/config.mirror"))
		o.absent(jsonpointer.New("metadata", "annotations", "kubernetes.io/config.source"))
		if in.Spec.Jobs == v1alpha1.JobsSkip || in.Spec.Jobs == v1alpha1.JobsError {
			o.absent(l.field("restartPolicy")) // it decides whether the pod is meant to finish
		}
	}
	for _, entry := range metadataEntries(in) {
		if entry.policy == v1alpha1.PatchRetain { // Pillion would keep a value of the pod
			o.absent(l.pointer("metadata", entry.field, entry.key))
		}
	}
}
