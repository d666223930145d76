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

// checkUnknownKind reports an item that is of no known workload kind and seems to hold a pod template, because no other
// finding would explain why it got no sidecar.
func checkUnknownKind(item manifest.Item) []finding.Finding {
	arena := parse.Borrow()
	defer arena.Return()
	_, object, err := item.ParseIn(arena)
	if object == nil {
		return nil // it passes through as it is, whatever is wrong with its text
	}
	var findings []finding.Finding
	if manifest.IsRepeatedKey(err) {
		f := unreadableItem(item, err)
		f.Severity, f.Code = finding.Warning, finding.RepeatedKey
		findings = append(findings, f)
	}
	if !bytes.Contains(item.Text, []byte("containers")) {
		return findings
	}
	if path := findPod(object, "", 0); path != "" {
		about := objectOf(item, object)
		f := newFinding(finding.Info, finding.UnsupportedKind, &finding.Field{Path: path},
			"%s looks like a pod template; if it is one, declare it in spec.workloads", path)
		f.Object, f.File = &about, fileOf(item, object)
		findings = append(findings, f)
	}
	return findings
}

// findPod returns the path of a mapping with spec.containers, a list of mappings that have an image.
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
