package podtemplate

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/node"
)

// SelectorLabels are the keys of the labels by which the workload finds its pods again. The
// selector stands beside the template; a ReplicationController's is a plain mapping of labels.
func (t Template) SelectorLabels(workload *yaml.Node) []string {
	owner, isInside := strings.CutSuffix(t.Path, "template")
	if !isInside {
		return nil
	}
	selector := node.Get(workload, append(strings.FieldsFunc(owner, func(r rune) bool { return r == '.' }), "selector")...)
	if selector == nil && node.Text(workload, "kind") == "ReplicationController" {
		return node.Keys(node.Get(t.Node, "metadata", "labels")) // the API server takes these for the selector
	}
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
