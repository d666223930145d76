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

// condition returns the fields of a spec that select the pairs that have the additions of the group, and not those that lack one, and in
// words what tells them apart: what a pod says of itself, its labels, its namespace, its kind, and at last its name. Labels and annotations
// that are written do not count.
func (g *group) condition(pairs []*Pair, written map[string]bool) (fields *node.Node, words string) {
	var has, lacks []*Pair
	for _, p := range pairs {
		if isThere, matters := g.has[p]; isThere {
			has = append(has, p)
		} else if matters {
			lacks = append(lacks, p)
		}
	}
	fields, words = node.Mapping(), fmt.Sprintf("%d of %s", len(has), outcome.Plural(len(has)+len(lacks), "pod template"))
	if len(lacks) == 0 {
		words += ", all of which have it, so every pod is selected unless you add a condition"
	} else {
		all := criteria(has, lacks, written)
		i := slices.IndexFunc(all, func(c criterion) bool {
			values := distinct(has, c.of)
			isBoth := func(value string) bool { return slices.Contains(values, value) }
			return values[0] != "" && len(values) <= c.most && !slices.ContainsFunc(distinct(lacks, c.of), isBoth)
		})
		if i < 0 {
			i = len(all) - 1
			all[i].what = "nothing that a condition can use"
		}
		fields, words = all[i].fields(distinct(has, all[i].of)), words+"; what tells them apart is "+all[i].what
	}
	system := slices.DeleteFunc(distinct(has, namespaceOf), func(name string) bool { return !strings.HasPrefix(name, "kube-") })
	if len(system) > 0 && node.Get(fields, "namespaces") == nil { // those are left out unless they are named
		set(fields, texts(append([]string{"*"}, system...)...), "namespaces", "include")
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
func criteria(has, lacks []*Pair, written map[string]bool) (all []criterion) {
	for _, field := range []string{"annotations", "labels"} {
		for _, key := range has[0].keys(field, written) {
			all = append(all, marker(field, key, v1alpha1.PolicyDisabled))
		}
		for _, key := range lacks[0].keys(field, written) {
			if node.Text(lacks[0].before, "metadata", field, key) == "false" {
				all = append(all, marker(field, key, v1alpha1.PolicyEnabled))
			}
		}
	}
	for _, key := range has[0].keys("labels", written) {
		value := func(p *Pair) string { return node.Text(p.before, "metadata", "labels", key) }
		fields := func(values []string) *node.Node { return selector(key, values) }
		all = append(all, criterion{"the label " + key, value, fields, max(1, len(has)/2)})
	}
	kindOf := func(p *Pair) string {
		group, _ := pod.SplitVersion(p.Object.APIVersion)
		return group + " " + p.resource
	}
	nameOf := func(p *Pair) string { return p.Object.Name }
	listAt := func(path ...string) func([]string) *node.Node {
		return func(values []string) *node.Node { return set(node.Mapping(), texts(values...), path...) }
	}
	return append(all,
		criterion{"the namespace", namespaceOf, listAt("namespaces", "include"), len(has)},
		criterion{"the kind", kindOf, rules, len(has)},
		criterion{"only the name", nameOf, listAt("names"), len(has)})
}

// keys returns as many keys of labels or annotations as people may have, without those that are written.
func (p *Pair) keys(field string, written map[string]bool) []string {
	all := slices.DeleteFunc(node.Keys(node.Get(p.before, "metadata", field)), func(key string) bool { return written[key] })
	return all[:min(len(all), maxVariables)]
}

// marker is the criterion that pods opt in or out by a label or an annotation.
func marker(field, key string, policy v1alpha1.Policy) criterion {
	fields, value := node.Mapping(), "false"
	if key != v1alpha1.DefaultMarker {
		set(fields, node.String(key), "marker")
	}
	if policy == v1alpha1.PolicyDisabled {
		value = "true"
		set(fields, node.String(string(policy)), "policy")
	}
	return criterion{fmt.Sprintf("%s: %q", key, value), func(p *Pair) string {
		if text := node.Text(p.before, "metadata", field, key); text == "true" || text == "" && policy == v1alpha1.PolicyEnabled {
			return "selected"
		}
		return ""
	}, func([]string) *node.Node { return fields }, 1}
}

func selector(key string, values []string) *node.Node {
	if len(values) == 1 {
		return set(node.Mapping(), node.String(values[0]), "selector", "matchLabels", key)
	}
	expression := node.Mapping(node.String("key"), node.String(key), node.String("operator"), node.String("In"),
		node.String("values"), texts(values...))
	return set(node.Mapping(), node.Sequence(expression), "selector", "matchExpressions")
}

func rules(kinds []string) *node.Node {
	list := node.Sequence()
	for _, kind := range kinds {
		group, resource, _ := strings.Cut(kind, " ")
		list.Content = append(list.Content, node.Mapping(node.String("apiGroups"), texts(group),
			node.String("apiVersions"), texts("*"), node.String("resources"), texts(resource)))
	}
	return set(node.Mapping(), list, "rules")
}
