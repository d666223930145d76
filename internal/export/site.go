package export

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/podtemplate"
	"pillion.dev/pillion/internal/selection"
	"pillion.dev/pillion/internal/stamp"
	"pillion.dev/pillion/internal/yaml/node"
)

// aside is where objects are kept whole while a strategic merge is tried on them. It drops
// variables and ports that a container has twice, and leaves empty mappings behind.
const aside = "pillion"

// control is a container that every pod has while the merge is tried, so that it shows how
// kustomize treats a name that is taken.
const control = "pillion-export"

// site is a place for pods, in kinds that have it in common.
type site struct {
	kinds    []podtemplate.Kind
	template []string // the keys that lead to the pod template
	finishes bool     // whether the pods are meant to end
}

// sites are the places of the injector's pods. Kinds whose pods end stand apart where the
// sidecars become something else in them.
func (s scope) sites(in *injector.Injector) []site {
	var sites []site
	for _, kind := range s.kinds {
		template := strings.FieldsFunc(kind.Paths[0], func(r rune) bool { return r == '.' })
		finishes := kind.Finishes && byPod(in)
		at := slices.IndexFunc(sites, func(s site) bool { return slices.Equal(s.template, template) && s.finishes == finishes })
		if at < 0 {
			at = len(sites)
			sites = append(sites, site{template: template, finishes: finishes})
		}
		sites[at].kinds = append(sites[at].kinds, kind)
	}
	return sites
}

// byPod tells whether what a sidecar becomes depends on the pod.
func byPod(in *injector.Injector) bool {
	return in.Spec.Jobs == v1alpha1.JobsNative && slices.ContainsFunc(in.Containers, func(c injector.Container) bool {
		return c.Mode == v1alpha1.ModeAuto
	})
}

// patches set the objects aside, look by a strategic merge whether the payload's names are free,
// and put the payload into what was set aside.
func (s site) patches(in *injector.Injector, target Target, where place, what part) []Patch {
	p := payloadOf(in, s.finishes, what)
	if what == firstAlone && len(p.first) == 0 {
		return nil
	}
	in = p.injector
	patches := []Patch{
		{Target: target, Body: s.setAside(), Why: in.Name + ", 1 of 3: keep a copy, since the next patch is only a question."},
		{Target: target, Body: s.placeholders(p), Why: in.Name + ", 2 of 3: a placeholder goes to the front of a list only where the list does not have the name."},
		{Target: target, Body: s.inject(in, p, where), Why: in.Name + ", 3 of 3: stop where a name is taken or a marker speaks; else put the sidecar into the copy, and take that."},
	}
	return append(patches, s.metadata(in, target)...)
}

func (s site) setAside() *yaml.Node {
	var o operations
	o.absent(pointer(aside))
	o.put(pointer(aside), flowMapping())
	o.copy("/metadata", pointer(aside, "metadata"))
	o.copy("/spec", pointer(aside, "spec"))
	o.add(entry(s.at(containers), 0), nameAlone(control))
	return o.body()
}

// placeholders is a strategic merge patch that makes what the tests of inject look at.
func (s site) placeholders(p payload) *yaml.Node {
	merge := anything()
	for _, level := range s.levels() {
		metadata := mappingAt(merge, append(level, "metadata")...)
		for _, field := range []string{"annotations", "labels"} {
			// Not an empty one: kustomize drops those of the object itself.
			node.Set(metadata, field, flowMapping(node.String("pillion.dev/export"), node.String("asks")))
		}
	}
	spec := mappingAt(merge, s.spec()...)
	for _, list := range p.lists() {
		names := make([]*yaml.Node, len(list.names))
		for i, name := range list.names {
			names[i] = unlessThere(name)
		}
		if list.field == containers {
			names = append(names, unlessThere(control))
		}
		node.Set(spec, list.field, node.Sequence(names...))
	}
	return merge
}

// anything is a strategic merge patch for whatever the target says.
func anything() *yaml.Node {
	return node.Mapping(
		node.String("apiVersion"), node.String("v1"), node.String("kind"), node.String("Any"),
		node.String("metadata"), node.Mapping(node.String("name"), node.String("any")))
}

// unlessThere is a question to a list. A patch that replaces an entry is not carried out by
// kustomize where the entry is there, and adds a placeholder where it is not. That is more than
// a merge tells: an entry may be nothing but its name. Should kustomize learn to replace entries,
// the control is replaced, too, and stops every build.
func unlessThere(name string) *yaml.Node {
	question := placeholder(name)
	question.Content = append(question.Content, pair("$patch", node.String("replace"))...)
	return question
}

// placeholder is an entry that no pod has.
func placeholder(name string) *yaml.Node {
	entry := nameAlone(name)
	entry.Content = append(entry.Content, pair("pillion", node.String("asks"))...)
	return entry
}

func nameAlone(name string) *yaml.Node {
	return flowMapping(pair("name", legible(node.String(name)))...)
}

// levels lead to the metadata on which a marker may stand: the object's, that of a CronJob's
// jobs, and the pod template's.
func (s site) levels() [][]string {
	levels := [][]string{nil}
	for i, key := range s.template {
		if strings.HasSuffix(strings.ToLower(key), "template") {
			levels = append(levels, s.template[:i+1:i+1])
		}
	}
	return levels
}

// spec leads to the pod's spec.
func (s site) spec() []string { return append(slices.Clone(s.template), "spec") }

// inject tests what the merge made, and puts the payload into what was set aside.
func (s site) inject(in *injector.Injector, p payload, where place) *yaml.Node {
	var o operations
	s.guard(&o, in, where)
	lists := p.lists()
	for _, list := range lists {
		for i, name := range list.names {
			o.test(entry(s.at(list.field), i), placeholder(name))
		}
	}
	o.test(entry(s.at(containers), len(lists[0].names)), nameAlone(control))
	for _, list := range lists {
		if !list.keep {
			continue
		}
		for range list.names {
			o.remove(entry(s.at(list.field), 0))
		}
		o.move(s.at(list.field), pointer(append([]string{aside}, append(s.spec(), list.field)...)...))
	}
	o.move(pointer(aside, "metadata"), "/metadata")
	o.move(pointer(aside, "spec"), "/spec")
	o.remove(pointer(aside))
	p.put(&o, s)
	return o.body()
}

func (s site) at(field string) string { return pointer(append(s.spec(), field)...) }

// guard stops the build where Pillion would ask the pod, or leave it alone.
func (s site) guard(o *operations, in *injector.Injector, where place) {
	if where.namespace != "" {
		o.test("/metadata/namespace", legible(node.String(where.namespace)))
	}
	if where.name != "" {
		o.test("/metadata/name", legible(node.String(where.name)))
	}
	o.absent("/metadata/uid")
	o.absent("/metadata/initializers")
	for _, level := range s.levels() {
		metadata := append(slices.Clone(level), "metadata")
		o.absent(pointer(append(metadata, "annotations", in.Spec.Marker)...))
		o.absent(pointer(append(metadata, "labels", in.Spec.Marker)...))
		o.absent(pointer(append(metadata, "annotations", selection.InitializerAnnotation(in.Name))...))
	}
	o.absent(pointer(append(slices.Clone(s.template), "metadata", "annotations", stamp.Key(in.Name))...))
	if len(s.template) == 0 {
		o.absent(pointer("metadata", "annotations", "kubernetes.io/config.mirror"))
		o.absent(pointer("metadata", "annotations", "kubernetes.io/config.source"))
		if in.Spec.Jobs != v1alpha1.JobsInject && (in.Spec.Jobs != v1alpha1.JobsNative || byPod(in)) {
			o.absent(s.at("restartPolicy")) // which tells whether the pod is meant to end
		}
	}
	for _, key := range retained(in) {
		o.absent(pointer(append(slices.Clone(s.template), "metadata", key.mapping, key.name)...))
	}
}
