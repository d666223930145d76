package splice

import (
	"bytes"
	"slices"
	"strings"

	"pillion.dev/pillion/internal/yaml/emit"
	"pillion.dev/pillion/internal/yaml/lex"
	"pillion.dev/pillion/internal/yaml/node"
)

// ReadTexts returns a function that returns how a node of a document is written in its text, in the form of Past.Texts, without anchors.
// A node that is not found there, or whose text is not accepted, is written on one line.
func ReadTexts(text []byte, document *node.Node, accepts func(text string, n *node.Node) bool) func(*node.Node) string {
	w := &written{source: source{text: text}, document: document, accepts: accepts}
	return w.textOf
}

type written struct {
	source
	document *node.Node
	accepts  func(text string, n *node.Node) bool
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

// spot is the collection that a node is in, and its index there.
type spot struct {
	parent *node.Node
	index  int
}

func (w *written) collect(parent *node.Node) {
	if parent.Kind == node.AliasNode {
		return
	}
	for i, child := range parent.Content {
		if at := node.IdentityOf(child); w.nodes[at].parent == nil {
			w.nodes[at] = spot{parent, i}
		}
		w.collect(child)
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
		w.Lines = lex.NewLines(w.text)
		if !w.document.Content[0].IsApproximate() {
			w.collect(w.document)
		}
	}
	found := w.nodes[node.IdentityOf(n)]
	if found.parent == nil {
		return "", false
	}
	p := w.placeOf(found.parent, found.index)
	if found.parent.Style&node.FlowStyle != 0 || p.lead < 0 {
		return lines(w.text[p.start:p.end], string(w.lineIndent(p.start)), verbatim), p.content == p.start
	}
	return w.behind(p, verbatim)
}

// behind returns the text behind a key or a dash. It includes the comments behind and below the last line of an entry, and the one
// behind a collection, but not the one behind a value, which belongs to the key. An anchor is left out: it stays in the file.
func (w *written) behind(p place, verbatim bool) (string, bool) {
	start, isEntry := p.lead+1, p.parent.Kind == node.SequenceNode
	if p.anchor > 0 {
		if p.node.Style&node.TaggedStyle != 0 || !w.onOneLine(p.lead, p.start) {
			return "", false
		}
		start = p.anchor
	}
	column := w.Column(w.childStart(p.parent, p.child))
	isBlock := isBlockCollection(p.node) && len(p.node.Content) > 0
	raw := w.text[start:p.end]
	switch endsLine := p.end > start && w.Start(p.end) == p.end; {
	case isBlockScalar(p.node) && !isEntry:
		raw = withoutHeaderComment(raw)
	case isEntry, w.isEmptyLine(p):
		raw = w.text[start:w.commentsBelow(p.end, column)]
	case isBlock && !endsLine:
		raw = w.text[start:w.End(p.end)]
	}
	if isEntry && isBlock {
		column += 2
	}
	raw = bytes.TrimPrefix(raw, []byte(" "))
	return strings.TrimSuffix(lines(raw, strings.Repeat(" ", column), verbatim), "\n"), true
}

// isEmptyLine reports whether a collection is empty and has a line of its own. The comments below it belong to its text: they
// show which line it was, because what fills it is written below them.
func (w *written) isEmptyLine(p place) bool {
	return p.node.Kind != node.ScalarNode && len(p.node.Content) == 0 && !w.onOneLine(p.lead, p.start) && w.IsBlank(p.end)
}

// commentsBelow returns the offset behind a value or an entry, with the comments behind it and those right below that are deeper
// than a column.
func (w *written) commentsBelow(valueEnd, column int) int {
	next := w.Behind(valueEnd)
	end := w.BehindComments(next, column)
	switch {
	case end > next:
		return w.End(w.Start(end - 1))
	case next == valueEnd:
		return valueEnd
	}
	return w.End(valueEnd)
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
