package parse

import (
	"strings"

	"go.yaml.in/yaml/v3"
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
	if r.column == 0 && strings.HasPrefix(r.text[r.at:], "---") && r.blankAt(r.at+3) {
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

// blankAt tells whether a blank, a line break or the end is at the offset.
func (r *reader) blankAt(at int) bool {
	switch r.peek(at) {
	case ' ', '\t', '\n', '\r', 0:
		return true
	}
	return false
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

// skipBlanks passes over spaces and tabs.
func (r *reader) skipBlanks() {
	for c := r.peek(r.at); c == ' ' || c == '\t'; c = r.peek(r.at) {
		r.at++
	}
}
