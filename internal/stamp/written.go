package stamp

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/emit"
	"pillion.dev/pillion/internal/extent"
	"pillion.dev/pillion/internal/node"
)

// Written tells how the nodes of a document stand in its text. What cannot be found there, or
// would not be read back alone, is written on one line.
func Written(text []byte, document *yaml.Node) func(*yaml.Node) string {
	w := &written{text: text, document: document}
	return func(n *yaml.Node) string {
		if found, ok := w.find(n); ok {
			if read, err := read(found); err == nil && node.Equal(read, n) {
				return found
			}
		}
		return string(emit.Style{LineEnd: "\n"}.FlowValue(nil, node.Fresh(n), ""))
	}
}

type written struct {
	text     []byte
	document *yaml.Node
	extents  *extent.Map
	nodes    map[place]*yaml.Node // nil until somebody asks: few runs replace anything
}

func (w *written) find(n *yaml.Node) (string, bool) {
	if n.Line <= 0 || n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		return "", false
	}
	if w.nodes == nil {
		w.nodes = map[place]*yaml.Node{}
		w.collect(w.document)
		w.extents, _ = extent.Of(w.text, w.document, nil)
	}
	original := w.nodes[placeIn(n)]
	if original == nil || w.extents == nil {
		return "", false
	}
	e := w.extents.Get(original)
	if e.End < e.Start || e.Content != e.Start {
		return "", false
	}
	if n.Style&yaml.FlowStyle != 0 || n.Kind == yaml.ScalarNode {
		return w.lines(e.Start, e.End), true
	}
	if w.extents.Start(e.End) == e.End { // its last value is a block scalar
		return strings.TrimSuffix(w.lines(e.Start, e.End), "\n"), true
	}
	// The comment behind its last line belongs to a block, too.
	return w.lines(e.Start, max(e.End, w.extents.ContentEnd(e.End))), true
}

func (w *written) collect(n *yaml.Node) {
	at := placeIn(n)
	if w.nodes[at] == nil {
		w.nodes[at] = n
	}
	for _, child := range n.Content {
		w.collect(child)
	}
}

// lines is a part of the text, its lines as deep as the first.
func (w *written) lines(start, end int) string {
	column := w.extents.Column(start)
	lines := strings.Split(strings.ReplaceAll(string(w.text[start:end]), "\r\n", "\n"), "\n")
	for i, line := range lines[1:] {
		blanks := len(line) - len(strings.TrimLeft(line, " "))
		lines[i+1] = line[min(blanks, column):]
	}
	return strings.Join(lines, "\n")
}
