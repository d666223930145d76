package patch

import (
	"slices"
	"strings"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/injector"
	"pillion.dev/pillion/internal/export/refusal"
	"pillion.dev/pillion/internal/text/yaml/emit"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// PostRenderers returns the entry of a HelmRelease's spec.postRenderers that each injector becomes, in the order of the
// injectors, or an error finding for each field that it cannot express. What a later entry adds comes first in a list.
func PostRenderers(injectors []*injector.Injector) ([]*node.Node, []finding.Finding) {
	var findings []finding.Finding
	for _, in := range injectors {
		injecting := in.With(func(spec *v1alpha1.SidecarInjectorSpec) { spec.Action = v1alpha1.Inject })
		findings = append(findings, refusal.Find(injecting.Plan(), refusedOfReleases(), refusal.Entry.InPatch)...)
	}
	if len(findings) > 0 {
		return nil, findings
	}
	values := valuesByAddress{}
	entries := make([]*node.Node, len(injectors))
	for i, in := range injectors {
		added := newBody(values)
		findings = append(findings, added.addInjector(in)...)
		patches := node.Sequence()
		for _, p := range patchesOf(in, added) {
			patches.Content = append(patches.Content, p.node())
		}
		entries[i] = node.Mapping(node.String("kustomize"), node.Mapping(node.String("patches"), patches))
		findings = append(findings, refuseSubstitution(in, entries[i])...)
	}
	return entries, findings
}

// refusedOfReleases returns all that an entry of spec.postRenderers cannot express. The namespace, and whether the
// injector is paused, is known of a HelmRelease; the labels of pods are not.
func refusedOfReleases() []refusal.Entry {
	isKnown := func(e refusal.Entry) bool {
		return slices.Contains([]string{"paused", "namespaces", "namespaceSelector"}, e.Field)
	}
	refused := slices.DeleteFunc(Refusals(), isKnown)
	for _, field := range []string{"selector", "neverInjectSelector"} {
		refused = append(refused, refusal.Entry{
			Field: field,
			Find: func(p *injector.Plan) []string {
				isSet := len(p.ConditionsOf(injector.OnSelector)) > 0
				if field == "neverInjectSelector" {
					isSet = len(p.ConditionsOf(injector.OnNeverSelector)) > 0
				}
				if isSet && p.Spec.SelectorScope != v1alpha1.ScopeWorkload {
					return []string{""}
				}
				return nil
			},
			Patch: refusal.Reason{Why: "with helmReleases: Patch, only the labels of a chart's workloads are seen; " +
				"label these, and set selectorScope to Workload"},
		})
	}
	return refused
}

// refuseSubstitution refuses ${...} in an entry: a Flux Kustomization may replace it in the HelmRelease, and nothing in
// that tells whether one does.
func refuseSubstitution(in *injector.Injector, entry *node.Node) (findings []finding.Finding) {
	node.Visit(entry, func(n *node.Node) {
		if strings.Contains(n.Value, "${") && len(findings) == 0 {
			findings = []finding.Finding{refusal.New(in, "helmReleases",
				"the payload has ${...}, which postBuild of a Flux Kustomization would replace in HelmReleases; write it in another way")}
		}
	})
	return findings
}

// node returns the patch as an entry of a kustomization's patches.
func (p patch) node() *node.Node {
	target := node.Mapping()
	for _, field := range p.target.fields() {
		if field[1] != "" {
			node.Set(target, field[0], node.String(field[1]))
		}
	}
	text := node.String(strings.TrimSuffix(string(emit.Object(inOneForm(p.body.in(p.at)))), "\n"))
	text.Style = node.LiteralStyle
	return node.Mapping(node.String("target"), target, node.String("patch"), text)
}

// inOneForm returns a copy of a node as it is written whatever the order of keys and the quotes in the config: those
// are others where kustomize hands the config to a function, and the text of a patch must not differ because of that.
func inOneForm(n *node.Node) *node.Node {
	n = node.Fresh(n)
	node.Visit(n, func(n *node.Node) {
		n.Style = 0
		if n.Kind != node.MappingNode {
			return
		}
		keys := slices.DeleteFunc(node.Keys(n), func(key string) bool { return node.IsNull(node.Get(n, key)) })
		slices.Sort(keys)
		if at := slices.Index(keys, "name"); at > 0 { // as people write it
			keys = slices.Insert(slices.Delete(keys, at, at+1), 0, "name")
		}
		ordered := make([]*node.Node, 0, len(n.Content))
		for _, key := range keys {
			ordered = append(ordered, node.String(key), node.Get(n, key))
		}
		n.Content = ordered
	})
	return n
}
