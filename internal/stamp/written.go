package stamp

import (
	"bytes"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/emit"
	"pillion.dev/pillion/internal/yaml/extent"
	"pillion.dev/pillion/internal/yaml/node"
)

// Written tells how the nodes of a document stand in its text, in the form that emit.Style.Texts has.
// Anchors are left out. What cannot be found there, or would not be read back alone, is written on one line.
func Written(text []byte, document *yaml.Node) func(*yaml.Node) Source {
	w := &written{text: text, document: document}
	return func(n *yaml.Node) Source {
		for _, verbatim := range []bool{true, false} {
			if found, ok := w.find(n, verbatim); ok {
				found = withoutAnchors(found)
				if read, err := read(found); err == nil && node.Equal(read, n) {
					return Source{found, w.below(n)}
				}
			}
		}
		return Source{Text: string(emit.Style{LineEnd: "\n"}.FlowValue(nil, node.Fresh(n), "")), Below: w.below(n)}
	}
}

type written struct {
	text     []byte
	document *yaml.Node
	extents  *extent.Map
	nodes    map[place]spot // nil until somebody asks: few runs replace anything
}

// spot is a node and the collection that it stands in, and the node before it, which is a value's key.
type spot struct{ node, parent, before *yaml.Node }

func (w *written) collect(s spot) {
	if at := placeIn(s.node); w.nodes[at].node == nil {
		w.nodes[at] = s
	}
	var before *yaml.Node
	for _, child := range s.node.Content {
		w.collect(spot{child, s.node, before})
		before = child
	}
}

// find is how a node is written. Verbatim keeps lines as they are that do not have the indent of the others.
func (w *written) find(n *yaml.Node, verbatim bool) (string, bool) {
	if n.Line <= 0 {
		return "", false
	}
	if w.nodes == nil {
		w.nodes = map[place]spot{}
		w.collect(spot{node: w.document})
		if extents, err := extent.Find(w.text, w.document, nil); err == nil {
			w.extents = extents
		}
	}
	found := w.nodes[placeIn(n)]
	if found.node == nil || w.extents == nil {
		return "", false
	}
	e := w.extents.Get(found.node)
	if e.End < e.Start {
		return "", false
	}
	if found.parent.Style&yaml.FlowStyle != 0 || e.Lead < 0 {
		line := w.text[w.extents.Start(e.Start):e.Start]
		indent := line[:len(line)-len(bytes.TrimLeft(line, " \t"))]
		return lines(w.text[e.Start:e.End], string(indent), verbatim), e.Content == e.Start
	}
	return w.behind(found, e, verbatim)
}

// behind is what stands behind a key or a dash. The comments behind and below the last line are the
// entry's, that behind a collection its own, and that behind a value its key's. An anchor stays where it is, whatever becomes
// of the value.
func (w *written) behind(at spot, e extent.Extent, verbatim bool) (string, bool) {
	const block = yaml.LiteralStyle | yaml.FoldedStyle
	start, isEntry := e.Lead+1, at.parent.Kind == yaml.SequenceNode
	if anchor := at.node.Anchor; anchor != "" {
		if at.node.Style&yaml.TaggedStyle != 0 || w.extents.Start(e.Lead) != w.extents.Start(e.Start) {
			return "", false
		}
		start = e.Start + len("&"+anchor)
	}
	column := w.extents.Column(e.Lead)
	if !isEntry {
		column = w.extents.Column(w.extents.Get(at.before).Start)
	}
	isBlock := at.node.Style&yaml.FlowStyle == 0 && len(at.node.Content) > 0
	if isEntry && isBlock {
		column += 2
	}
	raw := w.text[start:e.End]
	switch endsLine := e.End > start && w.extents.Start(e.End) == e.End; {
	case at.node.Style&block != 0 && !isEntry:
		raw = withoutHeaderComment(raw)
	case isEntry:
		raw = w.text[start:w.commentsBelow(e, w.extents.Column(e.Lead))]
	case w.isEmptyLine(at.node, e):
		raw = w.text[start:w.commentsBelow(e, column)]
	case isBlock && !endsLine:
		raw = w.text[start:w.extents.End(e.End)]
	}
	raw = bytes.TrimPrefix(raw, []byte(" "))
	return strings.TrimSuffix(lines(raw, strings.Repeat(" ", column), verbatim), "\n"), true
}

// isEmptyLine tells whether a collection is empty and has a line of its own. The comments below it are part of what is
// kept: they tell which line it was, as what fills it is written below them.
func (w *written) isEmptyLine(n *yaml.Node, e extent.Extent) bool {
	return n.Kind != yaml.ScalarNode && len(n.Content) == 0 && w.extents.Start(e.Lead) != w.extents.Start(e.Start) &&
		len(bytes.TrimSpace(w.text[e.End:w.extents.End(e.End)])) == 0
}

// commentsBelow is the end of a value or an entry with the comments behind it, and right below, that stand deeper than
// a column.
func (w *written) commentsBelow(e extent.Extent, column int) int {
	end, next := e.End, e.End
	if w.extents.Start(e.End) != e.End {
		end = w.extents.End(e.End)
		next = w.extents.Next(e.End)
	}
	for next < len(w.text) {
		line := w.text[next:w.extents.End(next)]
		comment := bytes.TrimLeft(line, " ")
		if len(comment) == 0 || comment[0] != '#' || len(line)-len(comment) <= column {
			break
		}
		end = next + len(line)
		next = w.extents.Next(next)
	}
	return end
}

// withoutHeaderComment is a block scalar without the comment behind its "|" or ">".
func withoutHeaderComment(raw []byte) []byte {
	header, body, found := bytes.Cut(raw, []byte("\n"))
	if comment := bytes.IndexByte(header, '#'); found && comment >= 0 {
		return slices.Concat(bytes.TrimRight(header[:comment], " \t"), []byte("\n"), body)
	}
	return raw
}

// lines is a part of the text, its lines without an indent. Verbatim keeps those as they are that do not have it, such as
// comments that stand less deep; otherwise, they lose as much of it as they have.
func lines(part []byte, indent string, verbatim bool) string {
	lines := strings.Split(strings.ReplaceAll(string(part), "\r\n", "\n"), "\n")
	for i, line := range lines[1:] {
		if verbatim && line != "" && (line == indent || !strings.HasPrefix(line, indent)) {
			lines[i+1] += emit.Verbatim
			continue
		}
		shared := 0
		for shared < min(len(indent), len(line)) && indent[shared] == line[shared] {
			shared++
		}
		lines[i+1] = line[shared:]
	}
	return strings.Join(lines, "\n")
}
