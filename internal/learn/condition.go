package learn

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/outcome"
	"pillion.dev/pillion/internal/pod"
	"pillion.dev/pillion/internal/yaml/node"
)

// condition is what tells pods with a sidecar from those without.
type condition struct {
	fields *node.Node // of the spec
	words  string
}

// newCondition returns the narrowest condition that tells pairs apart: what a pod says about itself, its labels, its namespace, its kind,
// and at last its name.
func newCondition(has, lacks []*Pair) condition {
	c := condition{fields: node.Mapping()}
	if len(lacks) > 0 {
		for _, find := range []func(has, lacks []*Pair) (condition, bool){byMarker, byLabel, byNamespace, byKind} {
			if found, ok := find(has, lacks); ok {
				c = found
				break
			}
		}
		if c.words == "" {
			names := distinct(has, func(p *Pair) string { return p.Object.Name })
			c = condition{node.Mapping(node.String("names"), texts(names)), "only their names tell them apart"}
		}
	}
	system := slices.DeleteFunc(distinct(has, namespaceOf), func(name string) bool { return !strings.HasPrefix(name, "kube-") })
	if len(system) > 0 && node.Get(c.fields, "namespaces") == nil { // those are left out unless they are named
		node.Set(c.fields, "namespaces", node.Mapping(node.String("include"), texts(append([]string{"*"}, system...))))
	}
	return c
}

// firstFields returns as many labels or annotations as people may have.
func firstFields(m *node.Node) iter.Seq2[string, *node.Node] {
	return func(yield func(string, *node.Node) bool) {
		const most = 100
		count := 0
		for key, value := range node.Fields(m) {
			if count++; count > most || !yield(key, value) {
				return
			}
		}
	}
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

func texts(values []string) *node.Node {
	list := node.Sequence()
	for _, value := range values {
		list.Content = append(list.Content, node.String(value))
	}
	return list
}

// areApart reports whether two sets of pairs have no value in common.
func areApart(has, lacks []*Pair, of func(*Pair) string) bool {
	with := distinct(has, of)
	return !slices.ContainsFunc(distinct(lacks, of), func(value string) bool { return slices.Contains(with, value) })
}

// byMarker finds a label or an annotation that is true in pods that opt in, or false in pods that opt out.
func byMarker(has, lacks []*Pair) (condition, bool) {
	for _, field := range []string{annotations, labels} {
		valueOf := func(key string) func(*Pair) string {
			return func(p *Pair) string { return node.Text(p.before, "metadata", field, key) }
		}
		for _, marker := range []struct {
			value, other string
			in           []*Pair
			policy       v1alpha1.Policy
		}{{"true", "false", has, v1alpha1.PolicyDisabled}, {"false", "true", lacks, v1alpha1.PolicyEnabled}} {
			for key, value := range firstFields(node.Get(marker.in[0].before, "metadata", field)) {
				isMarker := func(value string) bool { return value == "" || value == marker.value || value == marker.other }
				all := append(distinct(has, valueOf(key)), distinct(lacks, valueOf(key))...)
				if value.Value != marker.value || len(distinct(marker.in, valueOf(key))) > 1 || !areApart(has, lacks, valueOf(key)) ||
					slices.ContainsFunc(all, func(value string) bool { return !isMarker(value) }) {
					continue
				}
				c := condition{node.Mapping(), fmt.Sprintf("they are told apart by %s: %q", key, marker.value)}
				if key != v1alpha1.DefaultMarker {
					node.Set(c.fields, "marker", node.String(key))
				}
				if marker.policy != v1alpha1.PolicyEnabled {
					node.Set(c.fields, "policy", node.String(string(marker.policy)))
				}
				return c, true
			}
		}
	}
	return condition{}, false
}

// byLabel finds a label of pods, or of their namespaces from before.
func byLabel(has, lacks []*Pair) (condition, bool) {
	for _, by := range []struct {
		field, what string
		labels      func(*Pair) *node.Node
	}{
		{"selector", "label", func(p *Pair) *node.Node { return node.Get(p.before, "metadata", labels) }},
		{"namespaceSelector", "label of the namespace", func(p *Pair) *node.Node { return node.Get(p.namespace, "metadata", labels) }},
	} {
		for key := range firstFields(by.labels(has[0])) {
			valueOf := func(p *Pair) string { return node.Text(by.labels(p), key) }
			values := distinct(has, valueOf)
			if slices.Contains(values, "") || !areApart(has, lacks, valueOf) || len(values) > 1 && len(values) >= len(has) {
				continue
			}
			selector := node.Mapping(node.String("matchLabels"), node.Mapping(node.String(key), node.String(values[0])))
			if len(values) > 1 {
				selector = node.Mapping(node.String("matchExpressions"), node.Sequence(node.Mapping(node.String("key"), node.String(key),
					node.String("operator"), node.String("In"), node.String("values"), texts(values))))
			}
			return condition{node.Mapping(node.String(by.field), selector), "they are told apart by the " + by.what + " " + key}, true
		}
	}
	return condition{}, false
}

func byNamespace(has, lacks []*Pair) (condition, bool) {
	names := distinct(has, namespaceOf)
	if names[0] == "" || !areApart(has, lacks, namespaceOf) {
		return condition{}, false
	}
	include := node.Mapping(node.String("include"), texts(names))
	return condition{node.Mapping(node.String("namespaces"), include), "they are told apart by their namespaces"}, true
}

func byKind(has, lacks []*Pair) (condition, bool) {
	kindOf := func(p *Pair) string {
		group, _ := pod.SplitVersion(p.Object.APIVersion)
		return group + " " + p.resource
	}
	if !areApart(has, lacks, kindOf) {
		return condition{}, false
	}
	rules := node.Sequence()
	for _, kind := range distinct(has, kindOf) {
		group, resource, _ := strings.Cut(kind, " ")
		rules.Content = append(rules.Content, node.Mapping(node.String("apiGroups"), texts([]string{group}),
			node.String("apiVersions"), texts([]string{"*"}), node.String("resources"), texts([]string{resource})))
	}
	return condition{node.Mapping(node.String("rules"), rules), "they are told apart by their kinds"}, true
}

// counted returns on how many pods a condition rests.
func (c condition) counted(has, lacks int) string {
	text := fmt.Sprintf("%d of %s", has, outcome.Plural(has+lacks, "pod template"))
	if lacks == 0 {
		return text + ", all of which have it, so every pod is selected unless you add a condition"
	}
	return text + "; " + c.words
}
