package engine

import (
	"bytes"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/escape"
	"pillion.dev/pillion/internal/manifest"
	"pillion.dev/pillion/internal/yaml/node"
)

// fileOf returns the file that an item was read from: the one that is known, or the one in the object's annotations.
func fileOf(item manifest.Item, object *yaml.Node) *finding.File {
	if item.File != "" {
		return &finding.File{Path: item.File, Index: item.Index, Line: item.Line + linesAbove(item.Text)}
	}
	annotations := node.Get(object, "metadata", "annotations")
	return annotatedFile(func(key string) string { return node.Text(annotations, key) })
}

// annotatedFile returns the file that an orchestrator has written into annotations, or nil.
func annotatedFile(annotation func(key string) string) *finding.File {
	for _, prefix := range []string{"internal.config.kubernetes.io/", "config.kubernetes.io/"} {
		if path := annotation(prefix + "path"); path != "" {
			index, _ := strconv.Atoi(annotation(prefix + "index"))
			return &finding.File{Path: escape.Clip(strings.Clone(path), maxMessageBytes), Index: index}
		}
	}
	return nil
}

// linesAbove returns the number of comments and blank lines above an object.
func linesAbove(text []byte) int {
	above := 0
	for line := range bytes.Lines(text) {
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] != '#' && line[0] != '%' && !bytes.Equal(line, []byte("---")) {
			return above
		}
		above++
	}
	return 0
}
