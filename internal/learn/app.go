package learn

import (
	"maps"
	"reflect"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/pod"
	"pillion.dev/pillion/internal/yaml/node"
)

// appContainers adds what containers of the app get: one entry for what the same containers get.
func (b *builder) appContainers(additions []*addition) {
	entries := map[string]*node.Node{}
	for _, a := range additions {
		if !slices.Contains(appLists, a.section) {
			continue
		}
		value := b.appValue(a)
		if value != nil {
			b.appEntry(entries, a, value)
			continue
		}
		byName := map[string]*addition{} // containers of different names may get different values
		for _, s := range a.samples {
			name := node.Text(s.container, "name")
			if byName[name] == nil {
				byName[name] = &addition{section: a.section, path: a.path}
			}
			byName[name].samples = append(byName[name].samples, s)
		}
		for _, name := range slices.Sorted(maps.Keys(byName)) {
			if value := b.appValue(byName[name]); value != nil && len(byName) > 1 {
				b.appEntry(entries, byName[name], value)
			}
		}
	}
}

func (b *builder) appValue(a *addition) *node.Node {
	t := pod.Element(pod.Type(reflect.TypeFor[corev1.Container](), a.section))
	return b.value(b.seen(a.samples), t, pod.InContainer(a.section).Entry(), where{whole: true})
}

// appEntry adds a value to the entry for the containers that get it.
func (b *builder) appEntry(entries map[string]*node.Node, a *addition, value *node.Node) {
	b.conflicts(a, value)
	entry := node.Mapping()
	names, includeInit := b.receivers(a)
	if len(names) > 0 {
		node.Set(entry, "containers", texts(names))
	}
	if includeInit {
		node.Set(entry, "includeInit", &node.Node{Kind: node.ScalarNode, Tag: node.BoolTag, Value: "true"})
	}
	isFirst, isLast := everyPlace(a, func(p place) bool { return p.isFirst }), everyPlace(a, func(p place) bool { return p.isLast })
	if a.section == "env" && isLast && !isFirst {
		node.Set(entry, "envPosition", node.String(string(v1alpha1.EnvAppend)))
	}
	key := string(node.AppendCanonical(nil, entry))
	if known := entries[key]; known != nil {
		entry = known
	} else {
		entries[key] = entry
		appendTo(b.spec, "appContainers", entry)
	}
	appendTo(entry, a.section, value)
}

func everyPlace(a *addition, holds func(place) bool) bool {
	return !slices.ContainsFunc(a.samples, func(s sample) bool { return !holds(s.place) })
}

// conflicts says what to do with a variable or a mount that the app has: the two values are joined, or the app's is replaced.
func (b *builder) conflicts(a *addition, value *node.Node) {
	for _, s := range a.samples {
		switch {
		case s.join != "":
			node.Set(value, "join", node.String(s.join))
			if s.joinOrder != "" {
				node.Set(value, "joinOrder", node.String(s.joinOrder))
			}
		case s.replaces:
			if field := pod.InContainer(a.section).Taken.Field; field != "" {
				node.Set(node.OwnMapping(b.spec, "onConflict"), field, node.String(string(v1alpha1.ConflictReplace)))
			}
		}
	}
}

// receivers returns the names of the containers that have an addition, or none if all have it, and whether init containers do.
func (b *builder) receivers(a *addition) (names []string, includeInit bool) {
	key := a.section + " " + a.path[len(a.path)-1] + " "
	type container struct {
		pair int
		name string
	}
	has, with := map[container]bool{}, map[string]bool{}
	pairs := map[int]bool{}
	for _, s := range a.samples {
		name := node.Text(s.container, "name")
		has[container{s.pair, name}], with[name], pairs[s.pair] = true, true, true
		includeInit = includeInit || s.isInit
	}
	areAll := true
	for pair := range pairs {
		for at, c := range pod.Containers(node.Get(b.pairs[pair].before, "spec")) {
			name := node.Text(c, "name")
			if (at.List == pod.Main || includeInit) && !b.pairs[pair].own[key+name] && !has[container{pair, name}] {
				areAll = false
			}
		}
	}
	if areAll {
		return nil, includeInit
	}
	return slices.Sorted(maps.Keys(with)), includeInit
}
