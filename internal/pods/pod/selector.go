package pod

import (
	"strings"

	"pillion.dev/pillion/internal/text/yaml/node"
)

// SelectorLabels returns the keys of the labels by which the workload finds its pods. Its selector is beside the
// template; that of a ReplicationController or a DeploymentConfig is a plain mapping of labels.
func (t Template) SelectorLabels(workload *node.Node) []string {
	selector := t.selector(workload)
	matchLabels, matchExpressions := node.Get(selector, "matchLabels"), node.List(selector, "matchExpressions")
	if matchLabels == nil && matchExpressions == nil {
		return node.Keys(selector)
	}
	keys := node.Keys(matchLabels)
	for _, expression := range matchExpressions {
		keys = append(keys, node.Text(expression, "key"))
	}
	return keys
}

// LabelsAreSelector reports whether the API server uses the labels of the template as the selector, because a workload
// of this version and kind has none.
func (t Template) LabelsAreSelector(workload *node.Node, apiVersion, kind string) bool {
	if !strings.HasSuffix(t.Path, "template") {
		return false
	}
	selector := t.selector(workload)
	switch apiVersion {
	case "v1", "apps.openshift.io/v1":
		return (kind == "ReplicationController" || kind == "DeploymentConfig") && len(node.Keys(selector)) == 0
	case "apps/v1beta1", "extensions/v1beta1": // apps/v1beta2 and apps/v1 require a selector
		return node.IsNull(selector)
	default:
		return false
	}
}

func (t Template) selector(workload *node.Node) *node.Node {
	steps := strings.Split(t.Path, ".")
	last := len(steps) - 1
	if steps[last] != "template" {
		return nil
	}
	steps[last] = "selector"
	return node.Get(workload, steps...)
}
