package splice

import (
	"slices"
	"strings"

	"pillion.dev/pillion/internal/yaml/emit"
	"pillion.dev/pillion/internal/yaml/lex"
	"pillion.dev/pillion/internal/yaml/node"
)

// ReadTexts returns a function that returns how a node of a document is written in its text, in the form of Past.Texts, without anchors.
// A node that is not found there, or whose text is not accepted, is written on one line.
func ReadTexts(text []byte, document *node.Node, accepts func(text string, n *node.Node) bool) func(*node.Node) string {
	w := &written{source: source{lex.Lines{Text: text}}, document: document, accepts: accepts}
	return w.textOf
}

type written struct {
	source
	document *node.Node
	accepts  func(text string, n *node.Node) bool
	spots    map[node.Identity]spot // nil until it is needed: few runs replace anything
}

// spot is the collection that a node is in, and its index there.
type spot struct {
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
	if w.spots == nil {
		w.spots = map[node.Identity]spot{}
		node.Visit(w.document, func(parent *node.Node) {
			for i, child := range parent.Content {
				if at := node.IdentityOf(child); parent.Kind != node.AliasNode && w.spots[at].parent == nil {
					w.spots[at] = spot{parent, i}
				}
			}
		})
	}
	at, found := w.spots[node.IdentityOf(n)]
	if !found {
		return "", "", false
	}
	p := w.placeOf(at.parent, at.index)
	if at.parent.Style&node.FlowStyle != 0 || p.lead < 0 {
		return w.withoutAnchors(p.node, p.start, p.end), w.lineIndent(p.start), p.content == p.start
	}
	return w.behind(p)
}

// behind returns the text behind a key or a dash. It includes the comments behind and below the last line of an entry, and the one
// behind a collection, but not the one behind a value, which belongs to the key. An anchor is left out: it stays in the file. The
// comments below an empty collection that has a line of its own show which line that was, because what fills it is written below them.
func (w *written) behind(p place) (raw, indent string, found bool) {
	if p.node.IsAnchored && (p.behind < p.start || !w.onOneLine(p.lead, p.start)) {
		return "", "", false
	}
	end := p.end
	column := w.Column(w.childStart(p.parent, p.child))
	isEntry, isEmpty := p.parent.Kind == node.SequenceNode, p.node.Kind != node.ScalarNode && len(p.node.Content) == 0
	isBlock := isBlockCollection(p.node) && !isEmpty
	switch {
	case isEntry, isEmpty && !w.onOneLine(p.lead, p.start) && w.IsBlank(p.end):
		end = w.BehindComments(w.Behind(p.end), column)
	case isBlock:
		end = w.Behind(p.end)
	}
	raw = w.withoutAnchors(p.node, p.behind, end)
	if isBlockScalar(p.node) && !isEntry {
		if header := lex.ReadBlockHeader(w.Text, p.content).End; w.commentBehind(header) {
			raw = string(slices.Concat(w.Text[p.behind:header], w.Text[lex.LineEnd(w.Text, header):end]))
		}
	}
	if isEntry && isBlock {
		column += 2
	}
	raw = strings.TrimPrefix(strings.TrimSuffix(raw, "\n"), " ")
	return strings.TrimSuffix(raw, "\r"), strings.Repeat(" ", column), true
}

// withoutAnchors returns a part of the text without the anchors of the nodes in it, so that a stamp can keep the rest as it is written.
// The caller must refuse aliases that are left without their anchors.
func (w *written) withoutAnchors(in *node.Node, start, end int) string {
	var kept []byte
	node.Visit(in, func(n *node.Node) {
		from := int(n.Start)
		to, _ := w.properties(n)
		if to == 0 || from < start || w.Text[from] != '&' {
			return
		}
		switch {
		case to < end && w.Text[to] == ' ':
			to++
		case from > start && w.Text[from-1] == ' ':
			from--
		}
		kept = append(kept, w.Text[start:from]...)
		start = to
	})
	return string(append(kept, w.Text[start:end]...))
}

// unindented removes an indent from the lines of a text. Verbatim keeps those that do not have it, such as comments that are indented
// less, as they are; otherwise they lose as much of it as they have.
func unindented(text, indent string, verbatim bool) string {
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
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
