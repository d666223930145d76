package splice

import (
	"bytes"
	"slices"
	"strings"

	"pillion.dev/pillion/internal/yaml/emit"
	"pillion.dev/pillion/internal/yaml/extent"
	"pillion.dev/pillion/internal/yaml/node"
)

// ReadTexts returns a function that returns how a node of a document is written in its text, in the form of Past.Texts, without anchors.
// A node that is not found there, or whose text is not accepted, is written on one line.
func ReadTexts(text []byte, document *node.Node, accepts func(text string, n *node.Node) bool) func(*node.Node) string {
	w := &written{text: text, document: document, accepts: accepts}
	return w.textOf
}

type written struct {
	text     []byte
	document *node.Node
	accepts  func(text string, n *node.Node) bool
	extents  *extent.Map
	nodes    map[node.Identity]spot // nil until it is needed: few runs replace anything
}

func (w *written) textOf(n *node.Node) string {
	for _, verbatim := range []bool{true, false} {
		if text, found := w.find(n, verbatim); found {
			if text = withoutAnchors(text); w.accepts(text, n) {
				return text
			}
		}
	}
	return string(emit.Style{LineEnd: "\n"}.FlowValue(nil, node.Fresh(n), ""))
}

// spot is a node, the collection that it is in, and the node before it there: for a value, its key.
type spot struct{ node, parent, before *node.Node }

func (w *written) collect(s spot) {
	if at := node.IdentityOf(s.node); w.nodes[at].node == nil {
		w.nodes[at] = s
	}
	if s.node.Kind == node.AliasNode {
		return
	}
	var before *node.Node
	for _, child := range s.node.Content {
		w.collect(spot{child, s.node, before})
		before = child
	}
}

// find returns the text of a node, and whether it was found. Verbatim keeps the lines that do not have the indent of the others
// as they are.
func (w *written) find(n *node.Node, verbatim bool) (string, bool) {
	if !node.IsRead(n) {
		return "", false
	}
	if w.nodes == nil {
		w.nodes = map[node.Identity]spot{}
		w.collect(spot{node: w.document})
		if extents, err := extent.Find(w.text, w.document, nil); err == nil {
			w.extents = extents
		}
	}
	found := w.nodes[node.IdentityOf(n)]
	if found.node == nil || w.extents == nil {
		return "", false
	}
	e := w.extents.Get(found.node)
	if e.End < e.Start {
		return "", false
	}
	if found.parent.Style&node.FlowStyle != 0 || e.Lead < 0 {
		line := w.text[w.extents.Start(e.Start):e.Start]
		indent := line[:len(line)-len(bytes.TrimLeft(line, " \t"))]
		return lines(w.text[e.Start:e.End], string(indent), verbatim), e.Content == e.Start
	}
	return w.behind(found, e, verbatim)
}

// behind returns the text behind a key or a dash. It includes the comments behind and below the last line of an entry, and the one
// behind a collection, but not the one behind a value, which belongs to the key. An anchor is left out: it stays in the file.
func (w *written) behind(at spot, e extent.Extent, verbatim bool) (string, bool) {
	const block = node.LiteralStyle | node.FoldedStyle
	start, isEntry := e.Lead+1, at.parent.Kind == node.SequenceNode
	if _, behind := w.extents.Anchor(at.node); behind > 0 {
		if at.node.Style&node.TaggedStyle != 0 || w.extents.Start(e.Lead) != w.extents.Start(e.Start) {
			return "", false
		}
		start = behind
	}
	column := w.extents.Column(e.Lead)
	if !isEntry {
		column = w.extents.Column(w.extents.ChildStart(at.parent, slices.Index(at.parent.Content, at.before)))
	}
	isBlock := at.node.Style&node.FlowStyle == 0 && len(at.node.Content) > 0
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

// isEmptyLine reports whether a collection is empty and has a line of its own. The comments below it belong to its text: they
// show which line it was, because what fills it is written below them.
func (w *written) isEmptyLine(n *node.Node, e extent.Extent) bool {
	return n.Kind != node.ScalarNode && len(n.Content) == 0 && w.extents.Start(e.Lead) != w.extents.Start(e.Start) &&
		len(bytes.TrimSpace(w.text[e.End:w.extents.End(e.End)])) == 0
}

// commentsBelow returns the offset behind a value or an entry, with the comments behind it and those right below that are deeper
// than a column.
func (w *written) commentsBelow(e extent.Extent, column int) int {
	next := w.extents.Behind(e.End)
	end := w.extents.BehindComments(next, column)
	switch {
	case end > next:
		return w.extents.End(w.extents.Start(end - 1))
	case next == e.End:
		return e.End
	}
	return w.extents.End(e.End)
}

// withoutHeaderComment returns a block scalar without the comment behind its "|" or ">".
func withoutHeaderComment(raw []byte) []byte {
	header, body, found := bytes.Cut(raw, []byte("\n"))
	if comment := bytes.IndexByte(header, '#'); found && comment >= 0 {
		return slices.Concat(bytes.TrimRight(header[:comment], " \t"), []byte("\n"), body)
	}
	return raw
}

// lines removes an indent from the lines of a text. Verbatim keeps those that do not have it, such as comments that are indented
// less, as they are; otherwise they lose as much of it as they have.
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
