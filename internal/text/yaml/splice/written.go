package splice

import (
	"strings"

	"pillion.dev/pillion/internal/text/yaml/emit"
	"pillion.dev/pillion/internal/text/yaml/lex"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// ReadTexts returns a function that returns how a node of a document is written in its text, in the form of Past.Texts,
// without anchors. A node that is not found there, or whose text is not accepted, is written on one line.
func ReadTexts(text []byte, document *node.Node, accepts func(text string, n *node.Node) bool) func(*node.Node) string {
	w := &written{source: source{lex.Lines{Text: text}}, document: document, accepts: accepts}
	return w.textOf
}

type written struct {
	source
	document *node.Node
	accepts  func(text string, n *node.Node) bool
	parents  map[node.Identity]parentIndex // nil until it is needed: few runs replace anything
}

// parentIndex is the collection that a node is in, and its index there.
type parentIndex struct {
	parent *node.Node
	index  int
}

func (w *written) textOf(n *node.Node) string {
	if raw, indent, found := w.find(n); found {
		for _, verbatim := range []bool{true, false} {
			if text := unindented(raw, indent, verbatim); w.accepts(text, n) {
				return text
			}
		}
	}
	return string(emit.Style{LineEnd: "\n"}.FlowValue(nil, node.Fresh(n), ""))
}

// find returns the text of a node, the indent of its lines, and whether it was found.
func (w *written) find(n *node.Node) (raw, indent string, found bool) {
	if !node.IsRead(n) || w.document.Content[0].IsApproximate {
		return "", "", false
	}
	if w.parents == nil {
		w.parents = map[node.Identity]parentIndex{}
		node.Visit(w.document, func(parent *node.Node) {
			for i, child := range parent.Content {
				if at := node.IdentityOf(child); parent.Kind != node.AliasNode && w.parents[at].parent == nil {
					w.parents[at] = parentIndex{parent, i}
				}
			}
		})
	}
	at, found := w.parents[node.IdentityOf(n)]
	if !found {
		return "", "", false
	}
	p := w.rangeOf(at.parent, at.index)
	if at.parent.Style&node.FlowStyle != 0 || p.lead < 0 {
		return string(w.Text[p.start:p.end]), w.lineIndent(p.start), p.content == p.start
	}
	return w.behind(p)
}

// behind returns the text behind a key or a dash. That of an entry includes the comments behind and below its last
// line. That of a value does not include the comments around it, which stay in the file, and neither does an anchor.
func (w *written) behind(p childRange) (raw, indent string, found bool) {
	if p.node.IsAnchored && (p.behind < p.start || !w.onOneLine(p.lead, p.start)) {
		return "", "", false
	}
	column, start, end := w.Column(w.childStart(p.parent, p.child)), p.behind, p.end
	isEntry, isBlock := p.parent.Kind == node.SequenceNode, isBlockCollection(p.node)
	switch {
	case isEntry:
		end = w.BehindComments(w.Behind(end), column)
	case isBlock:
		start, end = w.Next(start)-1, w.Behind(end)
	case w.commentIn(start, p.content) != nil:
		start = p.content
	}
	raw = string(w.Text[start:end])
	if isBlockScalar(p.node) && !isEntry { // a comment behind its header belongs to the key
		header := lex.ReadBlockHeader(w.Text, p.content).End
		lines := lex.LineEnd(w.Text, header)
		raw = string(w.Text[start:header]) + string(w.Text[lines:max(lines, end)])
	}
	if isEntry && isBlock {
		column += 2
	}
	raw = strings.TrimPrefix(strings.TrimSuffix(raw, "\n"), " ")
	return strings.TrimSuffix(raw, "\r"), strings.Repeat(" ", column), true
}

// unindented removes an indent from the lines of a text. Verbatim keeps those that do not have it, such as comments
// that are indented less, as they are.
func unindented(text, indent string, verbatim bool) string {
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	for i, line := range lines[1:] {
		switch content, isIndented := strings.CutPrefix(line, indent); {
		case isIndented && (content != "" || !verbatim), line == "":
			lines[i+1] = content
		case verbatim:
			lines[i+1] += emit.Verbatim
		default:
			lines[i+1] = strings.TrimLeft(line, " ")
		}
	}
	return strings.Join(lines, "\n")
}
