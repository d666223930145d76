package parse

import (
	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/edit"
	"pillion.dev/pillion/internal/yaml/lex"
)

// previous is the old tree and the old text, on the way through a text that edits made of it.
//
// What the reader reads from a key of a block mapping on, up to the token behind the value, depends on three things: the column of
// the mapping, its depth, and the text from the key to the end of the line of that token, because no lookahead goes further. The
// same is true of the entries of a block sequence, from their dashes on, and of whole block collections. The fast reader knows no
// anchors and no directives, by which text further above could matter. So if all three are as in the old text, the reader would
// read the same nodes again, and stop at the same token: previous gives it the old nodes, and moves it to that token.
//
// A collection is compared with the one in the same place of the old tree, if both and all collections around
// them have the same kinds and columns. Then their depths are the same too.
type previous struct {
	lines lex.Lines
	size  int // of the old text
	// edits holds the edits behind the cursor, as far as it was compared with them. The unchanged text before the first
	// of them begins at the offset from in the old text. Shift is how much further it is in the new text.
	edits []edit.Edit
	from  int
	shift int
	// next is what the old tree has in the place of the node that is read next.
	next oldNode
}

// oldNode is a node of the old tree and the token behind it.
type oldNode struct {
	node   *yaml.Node
	behind token
}

// token is the offset of a token in the old text, or -1 if it is not known, and the number of its line.
type token struct{ offset, line int }

// level is a collection that is being read, with the one in the same place of the old tree. The zero level has none.
type level struct {
	oldNode
	column int
	next   int // the index in the old one of the first key or entry that may be at the cursor or behind it
}

func newPrevious(document *yaml.Node, lines lex.Lines, edits []edit.Edit) *previous {
	end := token{len(lines.Text()), lines.Count()}
	return &previous{lines: lines, size: end.offset, edits: edits, next: oldNode{document.Content[0], end}}
}

// unchanged takes over the old block collection with its first token at the cursor and at the column, or returns nil if it changed.
func (r *reader) unchanged(column int) *yaml.Node {
	if r.previous == nil || r.previous.next.node == nil {
		return nil
	}
	return r.previous.unchanged(r, column)
}

// enter begins a block collection at a column of the current line.
func (r *reader) enter(kind yaml.Kind, column int) level {
	if r.previous == nil {
		return level{}
	}
	return r.previous.enter(kind, column, r.lineStart+column)
}

// takeOver adds the old children of a collection, from the token at the cursor on, as long as they are unchanged.
func (r *reader) takeOver(in *level) {
	if r.previous != nil {
		r.previous.takeOver(r, in)
	}
}

func (p *previous) unchanged(r *reader, column int) *yaml.Node {
	old := p.next
	start := token{p.lines.Begin(old.node.Line) + column, old.node.Line}
	if !isBlock(old.node) || old.node.Column != column+1 || p.oldOffset(r.at) != start.offset || !p.untouched(start, old.behind) {
		return nil
	}
	p.jump(r, start, old.behind)
	return old.node
}

func isBlock(n *yaml.Node) bool {
	return (n.Kind == yaml.MappingNode || n.Kind == yaml.SequenceNode) && n.Style&yaml.FlowStyle == 0
}

func (p *previous) enter(kind yaml.Kind, column, at int) level {
	old := p.next.node
	if old == nil || old.Kind != kind || !isBlock(old) || old.Column != column+1 {
		p.next = oldNode{}
		return level{}
	}
	in := level{oldNode: p.next, column: column}
	p.next, _ = p.child(&in, at)
	return in
}

func (p *previous) takeOver(r *reader, in *level) {
	p.next = oldNode{}
	for in.node != nil && r.column == in.column {
		child, start := p.child(in, r.at)
		if child.node == nil {
			return
		}
		if !p.untouched(start, child.behind) {
			p.next = child
			return
		}
		for range in.width() {
			r.add(in.node.Content[in.next])
			in.next++
		}
		p.jump(r, start, child.behind)
	}
}

// jump moves the cursor from one token to another, with the unchanged text between them.
func (p *previous) jump(r *reader, from, to token) {
	lineStart := p.lines.Begin(to.line)
	r.cursor = cursor{at: to.offset + p.shift, line: r.line + to.line - from.line, lineStart: lineStart + p.shift}
	r.column = to.offset - lineStart
	if to.offset == p.size {
		r.column = -1
	}
}

// child returns the value or the entry of the old collection whose key or dash is at an offset of the new text, and that token.
func (p *previous) child(in *level, at int) (child oldNode, start token) {
	offset, content := p.oldOffset(at), in.node.Content
	for offset >= 0 && in.next < len(content) && p.start(in, in.next).offset < offset {
		in.next += in.width()
	}
	if offset < 0 || in.next == len(content) {
		return oldNode{}, token{}
	}
	if start = p.start(in, in.next); start.offset != offset {
		return oldNode{}, token{}
	}
	child = oldNode{content[in.next+in.width()-1], in.behind}
	if following := in.next + in.width(); following < len(content) {
		child.behind = p.start(in, following)
	}
	return child, start
}

// start returns the key or the dash of a child. A dash on another line than its entry is not found.
func (p *previous) start(in *level, index int) token {
	line := in.node.Content[index].Line
	return token{p.lines.ChildStart(line, in.column, in.node.Kind == yaml.SequenceNode), line}
}

// width returns how many nodes a child has: one, or a key and a value.
func (l *level) width() int {
	if l.node.Kind == yaml.MappingNode {
		return 2
	}
	return 1
}

// oldOffset returns the offset in the old text of an offset that is not before the last one, or -1 if the text there is new.
func (p *previous) oldOffset(at int) int {
	for len(p.edits) > 0 && at >= p.edits[0].Start+p.shift {
		e := p.edits[0]
		p.edits = p.edits[1:]
		p.from = e.End
		p.shift += len(e.Text) - (e.End - e.Start)
	}
	if old := at - p.shift; old >= p.from {
		return old
	}
	return -1
}

// untouched reports whether no edit touches the text from a token to the end of the line of another, or to the end of the text. The
// last offset that was given to oldOffset is that of the first token.
func (p *previous) untouched(from, to token) bool {
	if to.offset <= from.offset || len(p.edits) == 0 {
		return to.offset > from.offset
	}
	return to.line < p.lines.Count() && p.lines.Begin(to.line+1) <= p.edits[0].Start
}
