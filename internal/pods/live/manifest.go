package live

import (
	"slices"
	"strings"

	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// Manifest returns a manifest that a pod may have been created from: its workload, with the pod's metadata and spec as
// the pod template, and without what controllers, the scheduler and the API server add. So whatever decides by the kind
// and the name of a workload can run on it. It returns the template too, which is part of the manifest. Both share
// nodes with the pod.
func Manifest(running Object, creator Creator, kinds pod.Kinds) (object, template *node.Node) {
	template = node.Mapping()
	if metadata := templateMetadata(node.Get(running.Node, "metadata")); metadata != nil {
		node.Set(template, "metadata", metadata)
	}
	node.Set(template, "spec", templateSpec(node.Get(running.Node, "spec")))
	steps, isKnown := templatePath(creator, kinds)
	if !isKnown { // the pods of an unknown kind are on their own
		creator, steps = running.asCreator(), nil
	}
	object = template
	for _, step := range slices.Backward(steps) {
		key, isList := strings.CutSuffix(step, "[]")
		if isList {
			object = node.Sequence(object)
		}
		object = node.Mapping(node.String(key), object)
	}
	metadata := node.Get(object, "metadata") // of a Pod
	if metadata == nil {
		metadata = node.Mapping()
	}
	node.SetFirst(metadata, "namespace", node.String(creator.Namespace))
	node.SetFirst(metadata, "name", node.String(creator.Name))
	node.SetFirst(object, "metadata", metadata)
	node.SetFirst(object, "kind", node.String(creator.Kind))
	node.SetFirst(object, "apiVersion", node.String(creator.APIVersion))
	return object, template
}

// templatePath returns the path of a pod template of a kind, and whether the kind is known. Of several paths it is the
// first one: a pod does not tell which template it is from, and what an injector adds depends on the kind.
func templatePath(creator Creator, kinds pod.Kinds) (steps []string, isKnown bool) {
	kind, isKnown := kinds.Find(creator.APIVersion, creator.Kind)
	if !isKnown || len(kind.Paths) == 0 {
		return nil, false
	}
	path := strings.ReplaceAll(kind.Paths[0], "*", "any") // which stands for any key
	return strings.FieldsFunc(path, func(r rune) bool { return r == '.' }), true
}

// LocalConfig annotates manifests that do not reach a cluster. In a cluster it means nothing.
const LocalConfig = "config.kubernetes.io/local-config"

// leftOut are LocalConfig and the labels that controllers add to the pods of a template.
var leftOut = []string{
	LocalConfig,
	"pod-template-hash", "rollouts-pod-template-hash", "controller-revision-hash", "pod-template-generation",
	"statefulset.kubernetes.io/pod-name", "apps.kubernetes.io/pod-index", "controller-uid", "job-name",
	"batch.kubernetes.io/controller-uid", "batch.kubernetes.io/job-name", "batch.kubernetes.io/job-completion-index",
}

// templateMetadata returns the labels and annotations of a pod template, or nil if it has none.
func templateMetadata(metadata *node.Node) *node.Node {
	template := node.Mapping()
	for _, field := range []string{"labels", "annotations"} {
		kept := node.Mapping()
		for key, value := range node.Fields(node.Get(metadata, field)) {
			if !slices.Contains(leftOut, key) {
				appendField(kept, key, value)
			}
		}
		if len(kept.Content) > 0 {
			node.Set(template, field, kept)
		}
	}
	if len(template.Content) == 0 {
		return nil
	}
	return template
}

// templateSpec returns the spec of a pod template.
func templateSpec(spec *node.Node) *node.Node {
	template := node.Mapping()
	tokens := tokenVolumes(spec)
	isToken := func(entry *node.Node) bool { return tokens[node.Text(entry, "name")] }
	for key, value := range node.Fields(spec) {
		switch key {
		case "nodeName", pod.Ephemeral: // the scheduler and kubectl debug set these
		case "volumes":
			if kept := without(value, isToken); len(kept.Content) > 0 {
				appendField(template, key, kept)
			}
		case pod.Main, pod.Init:
			appendField(template, key, withoutTokens(value, isToken))
		default:
			if !IsDefault(key, value) {
				appendField(template, key, value)
			}
		}
	}
	return template
}

// appendField adds a key that a mapping does not have. It does not look for the key, because a pod may have very many
// of them.
func appendField(m *node.Node, key string, value *node.Node) {
	m.Content = append(m.Content, node.String(key), value)
}

// IsDefault reports whether a field of a pod spec has the default of the API server. An app that sets the same looks
// the same.
func IsDefault(key string, value *node.Node) bool {
	value = node.Resolve(value)
	text := pod.InSpec(key).Default
	return text != "" && value != nil && value.Kind == node.ScalarNode && value.Value == text
}

// withoutTokens returns containers without the mounts of the ServiceAccount's token.
func withoutTokens(containers *node.Node, isTokenMount func(*node.Node) bool) *node.Node {
	kept := node.Sequence()
	for _, container := range node.List(containers) {
		if slices.ContainsFunc(node.List(container, "volumeMounts"), isTokenMount) {
			container = node.Clone(container)
			node.DeleteEntries(container, "volumeMounts", isTokenMount)
		}
		kept.Content = append(kept.Content, container)
	}
	return kept
}

// tokenVolumes returns the names of the volumes that the ServiceAccount plugin adds. Others may have such a name, and
// have no token in them.
func tokenVolumes(spec *node.Node) map[string]bool {
	tokens := map[string]bool{}
	isToken := func(source *node.Node) bool {
		return node.Text(source, "serviceAccountToken", "path") == "token"
	}
	for _, volume := range node.List(spec, "volumes") {
		name := node.Text(volume, "name")
		sources := node.List(volume, "projected", "sources")
		tokens[name] = strings.HasPrefix(name, pod.TokenVolume) && slices.ContainsFunc(sources, isToken)
	}
	return tokens
}

// without returns a list without some entries.
func without(list *node.Node, leavesOut func(*node.Node) bool) *node.Node {
	return node.Sequence(slices.DeleteFunc(slices.Clone(node.List(list)), leavesOut)...)
}
