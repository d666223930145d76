package read

import (
	"strings"
	"unsafe"

	"pillion.dev/pillion/internal/yaml/lex"
	"pillion.dev/pillion/internal/yaml/node"
)

// reader goes over a text once, from left to right, and builds nodes. A method that returns a node returns nil where the reader
// cannot go on; then there is a problem, and reading ends.
type reader struct {
	text string
	// at is the cursor, and lineStart the offset at which its line begins.
	at, lineStart int
	// column is the column of the token at the cursor, from 0, if the token begins a line of block YAML. It is -1 at the end of the
	// document.
	column int
	depth  int
	// tabsFrom is the column from which on lines in brackets may have tabs: the library declines one behind a plain scalar that is
	// less deep.
	tabsFrom int
	// unsure is set where the library may read the text in another way, or may refuse it. The ranges of the nodes are probably
	// right, and the values may not be.
	unsure  bool
	problem *Error
	// leftColumn is the column of the outermost block collection or block scalar that ended before the token at leftAt. It is for messages.
	leftColumn, leftAt int
	// anchors holds the last node of each anchor, or nil while it is being read.
	anchors map[string]*node.Node

	nodes    chunks[node.Node]
	children chunks[*node.Node]
	// pending holds the children of the collections that are being read, inner ones last.
	pending []*node.Node
	// built is the value that is being built, because it is not in the text as it is.
	built []byte
}

func newReader(text []byte, arena *Arena) *reader {
	r := &arena.reader
	*r = reader{
		text: shared(text), nodes: r.nodes, children: r.children,
		pending: r.pending[:0], built: r.built[:0],
	}
	return r
}

// shared returns a text as a string without copying it, because a copy of every item would be a copy of the whole input. The text
// must not change as long as the string is in use.
func shared(text []byte) string { return unsafe.String(unsafe.SliceData(text), len(text)) }

const (
	// usualDepth is how deep collections are nested that are surely read as the library does, and maxDepth how deep at all.
	usualDepth = 100
	maxDepth   = 10_000
	// mostKeyBytes is the longest key that is surely read as one. The library takes keys of up to 1024 characters.
	mostKeyBytes = 1000
)

// document reads the document at the cursor. It ends at the end of the text, or at the marker behind the document.
func (r *reader) document() *node.Node {
	if strings.HasPrefix(r.text[r.at:], lex.ByteOrderMark) {
		r.at += len(lex.ByteOrderMark)
		r.lineStart = r.at
	}
	begin := r.at
	if !r.nextToken() || !r.directives() {
		return nil
	}
	start := r.at
	var root *node.Node
	if r.peek(r.at) == '-' && r.atMarker() {
		r.at += len("---")
		empty := r.at
		r.skipBlanks()
		if r.atLineEnd() {
			root = r.nodeBelow(-1, false, empty)
		} else {
			r.unsure = true
			root = r.value(-1, -1)
		}
	} else if r.column >= 0 {
		root = r.blockNode(-1, r.column)
	}
	if root == nil {
		return nil
	}
	if r.column >= 0 {
		return r.indentProblem(-1)
	}
	r.unsure = r.unsure || root.Start == root.End || !isOrdinary(r.text[begin:r.at])
	return r.wrapped(node.DocumentNode, start, r.at, root)
}

// directives passes over the lines with directives, such as %YAML.
func (r *reader) directives() bool {
	for r.column == 0 && r.peek(r.at) == '%' {
		r.unsure = true
		r.at = lineEnd(r.text, r.at)
		if !r.nextToken() {
			return false
		}
	}
	return true
}

// entry reads the entry of a list whose dash is at the cursor, and goes to the next token.
func (r *reader) entry() *node.Node {
	begin := r.at
	r.lineStart = strings.LastIndexByte(r.text[:r.at], '\n') + 1
	column := r.at - r.lineStart
	r.at++
	n := r.behindIndicator(column, false)
	if n != nil {
		r.unsure = r.unsure || !isOrdinary(r.text[begin:r.at])
	}
	return n
}

// peek returns the byte at the offset, or 0 at the end. YAML has no byte 0.
func (r *reader) peek(at int) byte {
	if at < len(r.text) {
		return r.text[at]
	}
	return 0
}

// scalarNode returns a scalar with the range from start to the cursor.
func (r *reader) scalarNode(style node.Style, start int, value string) *node.Node {
	n := r.node(node.ScalarNode, style, node.StrTag, start, r.at)
	n.Value = value
	return n
}

// null returns the node of a value that is written as nothing at all.
func (r *reader) null(at int) *node.Node { return r.node(node.ScalarNode, 0, node.NullTag, at, at) }

// collectionTags are the tags of the kinds of collections that have one.
var collectionTags = [...]node.Tag{node.MappingNode: node.MapTag, node.SequenceNode: node.SeqTag, node.AliasNode: node.NoTag}

// collection returns a collection of the children since the mark.
func (r *reader) collection(kind node.Kind, style node.Style, start, end, mark int) *node.Node {
	n := r.node(kind, style, collectionTags[kind], start, end)
	n.Content = r.close(mark)
	return n
}

// wrapped returns a collection of one node.
func (r *reader) wrapped(kind node.Kind, start, end int, n *node.Node) *node.Node {
	mark := len(r.pending)
	r.add(n)
	return r.collection(kind, 0, start, end, mark)
}

// deeper counts one more level around the cursor.
func (r *reader) deeper() bool {
	r.depth++
	r.unsure = r.unsure || r.depth > usualDepth
	return r.depth <= maxDepth
}

// leave notes that the token at the cursor ends a block collection or a block scalar at the column.
func (r *reader) leave(column int) { r.leftColumn, r.leftAt = column, r.at }
