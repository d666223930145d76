package parse

import (
	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/lex"
)

// reader is the fast reader. Its methods go over the text once, from left to right; one that
// gives a node gives nil where the text needs the library, and then nothing is read on.
type reader struct {
	text string
	cursor
	// column is where the token at the cursor stands, from 0, for tokens that a line of
	// block YAML begins with. It is -1 at the end.
	column int
	depth  int
	// tabIndents tells that lines in brackets may begin with tabs.
	tabIndents bool

	// tabs is set if there is a tab anywhere in the text.
	tabs bool
	// wide text has characters of several bytes: the last column that was asked for is
	// remembered, so that a long line is counted only once.
	wide               bool
	counted, countedTo int

	slab
	// built is where values are put together that do not stand in the text as they are.
	built []byte
}

// cursor is a place in the text: at is the offset of what is read next, on the line of that
// number (from 1) that begins at lineStart.
type cursor struct{ at, line, lineStart int }

// maxDepth is how deep collections may be nested before the library has to read them.
const maxDepth = 100

// document reads the whole text.
func (r *reader) document() *yaml.Node {
	if !r.nextToken() {
		return nil
	}
	document := r.node(yaml.DocumentNode, "", r.at)
	if r.column == 0 && r.peek(r.at) == '-' && lex.IsMarkerAt(r.text, r.at) {
		r.at += 3
		if !r.endLine() {
			return nil
		}
	}
	if r.ended() {
		return nil
	}
	root := r.blockNode(-1, r.column)
	if root == nil || !r.ended() {
		return nil
	}
	mark := r.open()
	r.add(root)
	document.Content = r.close(mark)
	return document
}

// peek is the byte at the offset, or 0 at the end, which is not in the text elsewhere.
func (r *reader) peek(at int) byte {
	if at < len(r.text) {
		return r.text[at]
	}
	return 0
}

// ended tells whether the token at the cursor is the end of the text.
func (r *reader) ended() bool { return r.column < 0 }

// skipSpaces passes over spaces, but not over tabs: where the library allows them is a
// matter of its inner state.
func (r *reader) skipSpaces() {
	at := r.at
	for at < len(r.text) && r.text[at] == ' ' {
		at++
	}
	r.at = at
}
