package playground

import (
	"maps"
	"slices"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/injector"
	"pillion.dev/pillion/internal/core/outcome"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/edit"
	"pillion.dev/pillion/internal/text/escape"
	"pillion.dev/pillion/internal/text/manifest"
	"pillion.dev/pillion/internal/text/yaml/node"
	"pillion.dev/pillion/internal/text/yaml/splice"
)

// Selector is a label that a workload has and the config does not select, and the config that selects it.
type Selector struct{ Label, Config string }

// selectors returns a selector for each workload that is skipped because of its labels, by the line of the workload.
// There are none for configs of several objects or of other kinds, in which it is not clear what to change.
func selectors(
	config, manifests []byte, injectors []*injector.Injector, workloads []*outcome.Workload,
) map[int]Selector {
	configs, err := manifest.Read(config)
	if err != nil || len(configs.Items) != 1 || configs.Items[0].Kind != v1alpha1.Kind || len(injectors) != 1 {
		return nil
	}
	spec := injectors[0].Spec
	stream, err := manifest.Read(manifests)
	if err != nil || spec.Selector == nil || spec.SelectorScope == v1alpha1.ScopeWorkload {
		return nil
	}
	kinds := pod.NewKinds(spec.Workloads)
	found := map[int]Selector{}
	left := 100 // workloads, so that the work is bounded; the page shows a few hundred
	for _, w := range workloads {
		if len(w.Outcomes) == 0 || w.Outcomes[0].Reason != finding.SelectorMismatch || left == 0 {
			continue
		}
		left--
		labels := podLabels(stream.Items[w.Index], kinds)
		key := bestKey(spec.Selector.MatchLabels, labels)
		if text := selecting(configs.Items[0], key, labels[key]); key != "" && text != "" {
			found[w.File.Line] = Selector{escape.Line(key + "=" + labels[key]), text}
		}
	}
	return found
}

// podLabels returns the labels of the first pod template of a workload.
func podLabels(item *manifest.Item, kinds pod.Kinds) map[string]string {
	kind, _ := kinds.Find(item.APIVersion, item.Kind)
	_, object, err := item.Parse()
	if err != nil {
		return nil
	}
	for _, template := range kind.Templates(object) {
		return node.Map(template.Node, "metadata", "labels")
	}
	return nil
}

// bestKey returns the key of the label for a selector: one that it has, or one that names an app, or the first one. It
// is empty if there are no labels.
func bestKey(selected, labels map[string]string) string {
	named := []string{"app.kubernetes.io/name", "app"}
	for _, key := range slices.Concat(slices.Sorted(maps.Keys(selected)), named, slices.Sorted(maps.Keys(labels))) {
		if labels[key] != "" {
			return key
		}
	}
	return ""
}

// selecting returns the text of a config with a selector for a label, or "" if it cannot be edited.
func selecting(config *manifest.Item, key, value string) string {
	document, object, err := config.Parse()
	if err != nil || object != document.Content[0] { // as in a list
		return ""
	}
	changed := node.Clone(document)
	changed.Content[0] = node.Clone(changed.Content[0])
	selector := node.Own(node.Own(changed.Content[0], "spec"), "selector")
	node.Delete(selector, "matchExpressions")
	labels := node.OwnMapping(selector, "matchLabels")
	for _, other := range node.Keys(labels) {
		if other != key {
			node.Delete(labels, other)
		}
	}
	node.Set(labels, key, node.String(value))
	edits, err := splice.Edits(config.Text, document, changed, splice.Past{})
	if err != nil {
		return ""
	}
	text, start := config.Stream()
	return string(edit.Apply(text, edit.Shift(edits, start)))
}
