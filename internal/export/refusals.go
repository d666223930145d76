package export

import (
	"regexp"
	"slices"
	"strings"

	"pillion.dev/pillion/internal/podtemplate"
	"pillion.dev/pillion/internal/yaml/node"
)

// former are versions that kinds once had; kustomize does not know them.
var former = []string{"v1beta1", "v1beta2", "v2alpha1"}

// refusals stop the build at objects that Pillion would decide about, and patches cannot.
func (s scope) refusals() []Patch {
	var patches []Patch
	for _, target := range s.outOfReach() {
		patches = append(patches, refusal(target, "Pillion knows these kinds, and patches do not: they stop the build.",
			"patches cannot do for this kind what Pillion does; keep it out by spec.rules, or put it into a kustomization of its own"))
	}
	if len(s.excluded) > 0 {
		target := s.target(s.kinds, s.excluded, s.names)
		patches = append(patches, refusal(target, "spec.namespaces.exclude: a target cannot leave namespaces out, so workloads there stop the build.",
			"this workload is in a namespace of spec.namespaces.exclude; put it into a kustomization of its own"))
	}
	return patches
}

// refusal is a test that fails, with the reason where kustomize shows it: in the path.
func refusal(target Target, why, reason string) Patch {
	var o operations
	o.test("/pillion export: "+reason, node.String("never"))
	return Patch{Why: why, Body: o.body(), Target: target}
}

// outOfReach are the targets of kinds that hold pods which patches cannot reach. The core group is
// apart from the others, because its Service is none of Knative's.
func (s scope) outOfReach() []Target {
	var targets []Target
	core, others := divide(s.refused, func(k podtemplate.Kind) bool { return k.Group == "" })
	for _, kinds := range [][]podtemplate.Kind{core, others} {
		if len(kinds) > 0 {
			target := s.target(kinds, s.namespaces, s.names)
			target.Version = ""
			targets = append(targets, target)
		}
	}
	if len(s.aged) > 0 {
		old := s.target(s.aged, s.namespaces, s.names)
		old.Version = alternatives(former)
		targets = append(targets, old)
	}
	return targets
}

// covering is a target for kinds. Every group of one with every kind of another is covered, too:
// there are no such objects among the kinds that stand together here.
func covering(kinds []podtemplate.Kind) Target {
	var groups, names []string
	for _, kind := range kinds {
		groups, names = append(groups, kind.Group), append(names, kind.Kind)
	}
	return Target{Group: groupExpression(groups), Version: version, Kind: alternatives(names)}
}

// groupExpression matches groups. An empty expression would match all of them, the core group has
// to be said.
func groupExpression(groups []string) string {
	named, core := divide(groups, func(group string) bool { return group != "" })
	expression := alternatives(named)
	switch {
	case len(core) == 0:
		return expression
	case expression == "":
		return "^$"
	default:
		return "(" + expression + ")?"
	}
}

// alternatives matches any of some words.
func alternatives(words []string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = regexp.QuoteMeta(word)
	}
	slices.Sort(quoted)
	return strings.Join(slices.Compact(quoted), "|")
}

func divide[T any](all []T, is func(T) bool) (yes, no []T) {
	for _, one := range all {
		if is(one) {
			yes = append(yes, one)
		} else {
			no = append(no, one)
		}
	}
	return yes, no
}
