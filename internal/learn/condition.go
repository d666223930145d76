package learn

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/outcome"
	"pillion.dev/pillion/internal/pod"
	"pillion.dev/pillion/internal/yaml/node"
)

// criterion is something by which pods can be told apart.
type criterion struct {
	what   string
	of     func(*Pair) string // its value for a pod; empty if it has none
	fields func(values []string) *node.Node
	most   int // values that the fields can have
}

// condition returns the fields of a spec that select the pairs that have something, and not those that lack it, and in words what tells
// them apart. The narrowest criterion counts: what a pod says of itself, its labels, its namespace, its kind, and at last its name.
func condition(has, lacks []*Pair) (fields *node.Node, words string) {
	fields, words = node.Mapping(), fmt.Sprintf("%d of %s", len(has), outcome.Plural(len(has)+len(lacks), "pod template"))
	if len(lacks) == 0 {
		words += ", all of which have it, so every pod is selected unless you add a condition"
	} else {
		all := criteria(has, lacks)
		i := slices.IndexFunc(all, func(c criterion) bool {
			values := distinct(has, c.of)
			isBoth := func(value string) bool { return slices.Contains(values, value) }
			return values[0] != "" && len(values) <= c.most && !slices.ContainsFunc(distinct(lacks, c.of), isBoth)
		})
		if i < 0 {
			i = len(all) - 1
		}
		fields, words = all[i].fields(distinct(has, all[i].of)), words+"; what tells them apart is "+all[i].what
	}
	system := slices.DeleteFunc(distinct(has, namespaceOf), func(name string) bool { return !strings.HasPrefix(name, "kube-") })
	if len(system) > 0 && node.Get(fields, "namespaces") == nil { // those are left out unless they are named
		set(fields, texts(append([]string{"*"}, system...)), "namespaces", "include")
	}
	return fields, words
}

func namespaceOf(p *Pair) string { return p.Object.Namespace }

// distinct returns the values of pairs, sorted.
func distinct(pairs []*Pair, of func(*Pair) string) []string {
	values := map[string]bool{}
	for _, p := range pairs {
		values[of(p)] = true
	}
	return slices.Sorted(maps.Keys(values))
}

// criteria returns what may tell pairs apart, the narrowest first and names last.
func criteria(has, lacks []*Pair) (all []criterion) {
	inAnnotations := func(p *Pair) *node.Node { return node.Get(p.before, "metadata", "annotations") }
	inLabels := func(p *Pair) *node.Node { return node.Get(p.before, "metadata", "labels") }
	for _, from := range []func(*Pair) *node.Node{inAnnotations, inLabels} {
		for _, key := range keys(from(has[0])) {
			all = append(all, marker(from, key, "true", v1alpha1.PolicyDisabled))
		}
		for _, key := range keys(from(lacks[0])) {
			all = append(all, marker(from, key, "false", v1alpha1.PolicyEnabled))
		}
	}
	for _, key := range keys(inLabels(has[0])) {
		value := func(p *Pair) string { return node.Text(inLabels(p), key) }
		all = append(all, criterion{"the label " + key, value, func(values []string) *node.Node {
			return set(node.Mapping(), node.String(values[0]), "selector", "matchLabels", key)
		}, 1})
	}
	kindOf := func(p *Pair) string {
		group, _ := pod.SplitVersion(p.Object.APIVersion)
		return group + " " + p.resource
	}
	return append(all,
		criterion{"the namespace", namespaceOf, func(values []string) *node.Node {
			return set(node.Mapping(), texts(values), "namespaces", "include")
		}, len(has)},
		criterion{"the kind", kindOf, rules, len(has)},
		criterion{"only the name", func(p *Pair) string { return p.Object.Name }, func(values []string) *node.Node {
			return set(node.Mapping(), texts(values), "names")
		}, len(has)})
}

// keys returns as many keys of labels or annotations as people may have.
func keys(m *node.Node) []string {
	const most = 100
	all := node.Keys(m)
	return all[:min(len(all), most)]
}

// marker is the criterion that pods opt in, or out, by a label or an annotation that is true or false.
func marker(from func(*Pair) *node.Node, key, value string, policy v1alpha1.Policy) criterion {
	isIn := policy == v1alpha1.PolicyDisabled
	return criterion{fmt.Sprintf("%s: %q", key, value), func(p *Pair) string {
		switch text := node.Text(from(p), key); {
		case text != "" && text != "true" && text != "false":
			return "" // no marker
		case (text == value) == isIn:
			return "selected"
		}
		return "not selected"
	}, func([]string) *node.Node {
		fields := node.Mapping()
		if key != v1alpha1.DefaultMarker {
			set(fields, node.String(key), "marker")
		}
		if isIn {
			set(fields, node.String(string(policy)), "policy")
		}
		return fields
	}, 1}
}

func rules(kinds []string) *node.Node {
	list := node.Sequence()
	for _, kind := range kinds {
		group, resource, _ := strings.Cut(kind, " ")
		list.Content = append(list.Content, node.Mapping(node.String("apiGroups"), texts([]string{group}),
			node.String("apiVersions"), texts([]string{"*"}), node.String("resources"), texts([]string{resource})))
	}
	return set(node.Mapping(), list, "rules")
}
