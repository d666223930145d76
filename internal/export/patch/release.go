package patch

import (
	"fmt"
	"slices"
	"strings"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/injector"
	"pillion.dev/pillion/internal/core/ledger"
	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/export/refusal"
	"pillion.dev/pillion/internal/pods/pod"
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

// releasesStart begins the patch of all HelmReleases, with the names of the injectors.
const releasesStart = `# Made by pillion export from %s. Change the config and export it again.
# Copy spec.patches into the Flux Kustomization of HelmReleases. The patch replaces what they have in spec.postRenderers.
# Check the result, here and in CI:
#   flux build kustomization apps --dry-run --kustomization-file apps.yaml --path DIR | pillion verify -c injector.yaml -f -
` + fluxStart

// Releases returns one patch for all HelmReleases of a Flux Kustomization, with the entries of all injectors and their
// stamps, or an error finding for each field that it cannot express.
func Releases(injectors []*injector.Injector) ([]byte, []finding.Finding) {
	entries, findings := PostRenderers(injectors)
	for _, in := range injectors { // nor does the target of this patch know the namespace
		if in.Spec.HelmReleases != v1alpha1.ReleasesPatch {
			why := "set it to Patch, so that pillion verify checks the result"
			findings = append(findings, refusal.New(in, "helmReleases", why))
		}
		isOther := func(e refusal.Entry) bool { return !slices.Contains(namespaceFields, e.Field) }
		refused := slices.DeleteFunc(Refusals(), isOther)
		findings = append(findings, refusal.Find(in.Plan(), refused, refusal.Entry.InPatch)...)
	}
	if len(findings) > 0 {
		return nil, findings
	}
	row := pod.InSpec(pod.PostRenderers)
	var names, markers []string
	annotations := node.Mapping()
	list := node.Sequence()
	for i, in := range injectors {
		entry := entries[len(entries)-1-i] // see PostRenderers
		var wanted ledger.Entries
		wanted.PutEntry(row.Path, entries[i])
		made := wanted.Stamp(stamp.Hashes{}, stamp.NewView(node.Mapping()), nil)
		node.Set(annotations, stamp.Key(in.Name), node.String(made.String()))
		list.Content = append(list.Content, entry)
		names = append(names, in.Name)
		markers = append(markers, in.Spec.Marker+"!=false")
	}
	slices.Sort(markers)
	release := node.Mapping(
		node.String("apiVersion"), node.String(pod.Release.Group+"/v2"),
		node.String("kind"), node.String(pod.Release.Kind),
		node.String("metadata"), node.Mapping(node.String("name"), node.String("any"), node.String("annotations"), annotations),
		node.String("spec"), node.Mapping(node.String(pod.PostRenderers), list))
	text := fmt.Appendf(nil, releasesStart, strings.Join(names, ", "))
	text = fmt.Appendf(text, "  - target: {group: %s, kind: %s, annotationSelector: %s}\n    patch: |-",
		pod.Release.Group, pod.Release.Kind, scalar(strings.Join(slices.Compact(markers), ",")))
	return append(layout.Value(text, release, 4), '\n'), nil
}

// namespaceFields are the fields that are about the namespace of a workload.
var namespaceFields = []string{"namespaces", "namespaceSelector"}

// refusedOfReleases returns all that an entry of spec.postRenderers cannot express. The namespace, and whether the
// injector is paused, is known of a HelmRelease; the labels of pods are not.
func refusedOfReleases() []refusal.Entry {
	isKnown := func(e refusal.Entry) bool { return e.Field == "paused" || slices.Contains(namespaceFields, e.Field) }
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
			why := "the payload has ${...}, which postBuild of a Flux Kustomization would replace in HelmReleases; " +
				"write it in another way"
			findings = []finding.Finding{refusal.New(in, "helmReleases", why)}
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
