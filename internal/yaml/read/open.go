package read

import (
	"bytes"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/lex"
	"pillion.dev/pillion/internal/yaml/node"
)

// CommentedAt returns the offsets of the nodes of the first document that have comments.
func CommentedAt(text []byte) (map[int32]bool, error) {
	document, err := guarded(text, func() (*yaml.Node, error) {
		document := new(yaml.Node)
		return document, yaml.Unmarshal(text, document)
	})
	if err != nil {
		return nil, err
	}
	found, last := map[int32]bool{}, newCursor(text)
	var visit func(*yaml.Node)
	visit = func(n *yaml.Node) {
		if n.HeadComment != "" || n.LineComment != "" || n.FootComment != "" {
			found[int32(last.move(n.Line, n.Column))] = true
		}
		for _, child := range n.Content {
			visit(child)
		}
	}
	visit(document)
	return found, nil
}

// EndsOpen reports whether a stream ends inside of a block scalar on a line that is not ended, so that a line end would
// change the scalar. Readers that add a line end themselves read such a text differently from others.
func EndsOpen(text []byte) bool {
	if len(text) == 0 || text[len(text)-1] == '\n' {
		return false
	}
	text = lastDocument(text)
	return lastScalar(text) != lastScalar(append(bytes.Clone(text), '\n'))
}

// lastScalar returns the value of the scalar that a document ends with, or nothing if the document cannot be read.
func lastScalar(text []byte) string {
	n, err := Document(text)
	if err != nil {
		return ""
	}
	for n.Kind != node.AliasNode && len(n.Content) > 0 { // an alias may be inside of its own anchor
		n = n.Content[len(n.Content)-1]
	}
	return n.Value
}

// lastDocument returns the text of the last document of a stream, with its directives.
func lastDocument(text []byte) []byte {
	start, head, at := 0, 0, 0 // where the last document begins, and where its directives may
	for line := range bytes.Lines(text) {
		switch {
		case lex.IsMarkerAt(line, 0) && line[0] == '-':
			start, head = head, at+len(line)
		case lex.IsMarkerAt(line, 0):
			start, head = at+len(line), at+len(line)
		case len(bytes.TrimSpace(line)) > 0 && line[0] != '%' && line[0] != '#':
			head = at + len(line)
		}
		at += len(line)
	}
	return text[start:]
}
