package audit

import (
	"slices"
	"strings"

	"pillion.dev/pillion/internal/config/injector"
	"pillion.dev/pillion/internal/pods/declared"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// removeUnstamped removes from a template what equals the additions of an injector to the app's containers and to the
// metadata. Without a stamp, it would count as the app's: as not declared, and as something that sidecars take from the
// app. If it is the app's after all, nothing is lost, because the injection adds the same again. Values with variables
// are left, because they are not known yet.
func removeUnstamped(template *node.Node, in *injector.Injector) {
	isLiteral := func(n *node.Node) bool { return in.Literal || !hasVariables(n) }
	for _, patch := range in.PodMetadata {
		removeEqual(node.Get(template, "metadata", "labels"), patch.Labels, isLiteral)
		removeEqual(node.Get(template, "metadata", "annotations"), patch.Annotations, isLiteral)
	}
	for i := range in.AppContainers {
		given := &in.AppContainers[i]
		isJoined := func(variable *node.Node) bool { _, isJoined := given.Joins[variable]; return isJoined }
		env := slices.DeleteFunc(slices.Clone(given.Env), isJoined) // others may have joined something to it
		for at, container := range pod.Containers(node.Get(template, "spec")) {
			if given.Includes(node.Text(container, "name")) && (at.List == pod.Main || given.IncludeInit) {
				removeAdded(container, "env", env, isLiteral)
				removeAdded(container, "envFrom", given.EnvFrom, isLiteral)
				removeAdded(container, "volumeMounts", given.VolumeMounts, isLiteral)
			}
		}
	}
}

// removeEqual removes the keys of a mapping that have the same values in another one.
func removeEqual(from, added *node.Node, isLiteral func(*node.Node) bool) {
	for key, value := range node.Fields(added) {
		if found := node.Get(from, key); found != nil && isLiteral(value) && node.Text(from, key) == node.Text(added, key) {
			node.Delete(from, key)
		}
	}
}

// removeAdded removes the entries of a list of a container that are those of an injector.
func removeAdded(container *node.Node, list string, added []*node.Node, isLiteral func(*node.Node) bool) {
	node.DeleteEntries(container, list, func(entry *node.Node) bool {
		return slices.ContainsFunc(added, func(a *node.Node) bool {
			return isLiteral(a) && len(declared.InPod(a, entry, "spec", "containers", "", list, "")) == 0
		})
	})
}

// hasVariables reports whether a payload may have variables of Pillion.
func hasVariables(n *node.Node) bool {
	n = node.Resolve(n)
	return n != nil && (strings.Contains(n.Value, "${") || slices.ContainsFunc(n.Content, hasVariables))
}
