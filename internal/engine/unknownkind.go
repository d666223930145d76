package engine

import (
	"bytes"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/manifest"
	"pillion.dev/pillion/internal/yaml/node"
	"pillion.dev/pillion/internal/yaml/parse"
)

// stranger looks at an item of a kind that is not known to hold pods. Where it looks as if it
// did, that is said, because nothing else would tell why it got no sidecar.
func (r *run) stranger(item manifest.Item) outcome {
	arena := parse.Borrow()
	defer arena.Return()
	_, object, err := item.ParseIn(arena)
	if object == nil {
		return outcome{} // it passes through as it is, so its text is not for us to judge
	}
	var o outcome
	if manifest.IsRepeatedKey(err) {
		o.findings = append(o.findings, repeatedKey(item, err))
	}
	if !bytes.Contains(item.Text, []byte("containers")) {
		return o
	}
	if path := findPod(object, "", 0); path != "" {
		o.findings = append(o.findings, Finding{
			Severity: Info,
			Code:     finding.UnsupportedKind,
			Message:  "it looks as if " + path + " were a pod template; if so, declare it in spec.workloads",
			Object:   objectOf(item, object),
			File:     fileOf(item, object),
			Field:    &finding.Field{Path: path},
		})
	}
	return o
}

// repeatedKey warns of a key that is there twice in an object that passes through as it is.
func repeatedKey(item manifest.Item, err error) Finding {
	f := unreadableItem(item, err)
	f.Severity, f.Code = Warning, finding.RepeatedKey
	return f
}

// findPod finds a mapping with spec.containers, a list of mappings that have an image.
func findPod(n *yaml.Node, path string, depth int) string {
	const deepest = 10
	n = node.Resolve(n)
	if n == nil || depth > deepest {
		return ""
	}
	if n.Kind == yaml.SequenceNode && len(n.Content) > 0 {
		return findPod(n.Content[0], path+"[]", depth+1)
	}
	if n.Kind != yaml.MappingNode {
		return ""
	}
	for _, container := range node.List(n, "spec", "containers") {
		if path != "" && node.Text(container, "image") != "" {
			return path
		}
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		step := strings.TrimPrefix(path+"."+n.Content[i].Value, ".")
		if found := findPod(n.Content[i+1], step, depth+1); found != "" {
			return found
		}
	}
	return ""
}
