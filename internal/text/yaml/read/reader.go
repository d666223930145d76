package read

import (
	"strings"
	"unsafe"

	"pillion.dev/pillion/internal/text/yaml/lex"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// reader goes over a text once, from left to right, and builds nodes. A method that returns a node returns nil where
// the reader cannot go on; then there is a problem, and reading ends.
type reader struct {
	text string
	// at is the cursor, and lineStart the offset at which its line begins.
	at, lineStart int
	// column is the column of the token at the cursor, from 0, if the token begins a line of block YAML. It is -1 at
	// the end of the document.
	column int
	depth  int
	// bracket is the offset of the innermost opening bracket around the cursor, and parent the column of the block
	// collection around all of them, or -1.
	bracket, parent int
	// unsure is set where the library may read the text in another way, or may refuse it. The ranges of the nodes are
	// probably right, and the values may not be.
	unsure  bool
	problem *Error
	// anchors holds the last node of each anchor, or nil while it is being read.
	anchors map[string]*node.Node

	nodes    memory[node.Node]
	children memory[*node.Node]
	// pending holds the children of the collections that are being read, inner ones last.
	pending []*node.Node
	// built is the value that is being built, because it is not in the text as it is.
	built []byte
}

func newReader(text []byte, arena *Arena) *reader {
	r := &arena.reader
	*r = reader{text: shared(text), parent: -1, nodes: r.nodes, children: r.children, pending: r.pending[:0], built: r.built[:0]}
	return r
}

// shared returns a text as a string without copying it, because a copy of every item would be a copy of the whole
// input. The text must not change as long as the string is in use.
func shared(text []byte) string { return unsafe.String(unsafe.SliceData(text), len(text)) }

const (
	// maxDepth is how deep collections may be nested. The library takes 10,000.
	maxDepth = 9_000
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
	if !r.nextToken() {
		return nil
	}
	for r.column == 0 && r.text[r.at] == '%' { // a directive, such as %YAML
		r.unsure = true
		r.at = lineEnd(r.text, r.at)
		if !r.nextToken() {
			return nil
		}
	}
	start := r.at
	var root *node.Node
	if r.peek(r.at) == '-' && r.atMarker() {
		r.at += len("---")
		r.unsure = r.unsure || !lex.RestIsBlank(r.text, r.at)
		root = r.behindIndicator(-1, false, false)
	} else if r.column >= 0 {
		root = r.blockNode(-1, r.column)
	}
	if root == nil {
		return nil
	}
	switch {
	case r.column >= 0 && (root.Kind == node.ScalarNode || root.Style&node.FlowStyle != 0):
		return r.giveUp("text behind the value")
	case r.column >= 0:
		return r.indentProblem(r.at)
	}
	r.unsure = r.unsure || root.Start == root.End || !isOrdinary(r.text[begin:r.at])
	return r.wrapped(node.DocumentNode, start, r.at, root)
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
	return r.node(node.ScalarNode, style, node.StrTag, start, r.at, value)
}

// null returns the node of a value that is written as nothing at all.
func (r *reader) null(at int) *node.Node { return r.node(node.ScalarNode, 0, node.NullTag, at, at, "") }

// collectionTags are the tags of the kinds of collections that have one.
var collectionTags = [...]node.Tag{node.MappingNode: node.MapTag, node.SequenceNode: node.SeqTag, node.AliasNode: node.NoTag}
