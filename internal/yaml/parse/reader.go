package parse

import (
	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/lex"
)

// reader is the fast reader. Its methods go over the text once, from left to right. A method that returns a node returns nil
// if the text needs the library; then reading ends.
type reader struct {
	text string
	cursor
	// column is the column of the token at the cursor, from 0, if the token begins a line of block YAML. It is -1 at the end.
	column int
	depth  int
	// tabsFrom is the column from which on lines in brackets may have tabs: the library declines one behind a plain scalar that is
	// less deep.
	tabsFrom int

	// tabs is set if there is a tab anywhere in the text.
	tabs bool
	// wide is set if the text has characters of several bytes. The last column is stored, so that a long line is counted only once.
	wide               bool
	counted, countedTo int

	// previous is set if the text was made of one that was read before.
	previous *previous

	arena *Arena
	// pending holds the children of the collections that are being read, inner ones last.
	pending []*yaml.Node
	// built is the value that is being built, because it is not in the text as it is.
	built []byte
}

func newReader(text []byte, arena *Arena) reader {
	return reader{text: shared(text), cursor: cursor{line: 1}, arena: arena, pending: arena.pending[:0], built: arena.built}
}

// takeBuilt returns the value that was built. The next document uses its buffer again.
func (r *reader) takeBuilt() string {
	r.arena.built = r.built
	return string(r.built)
}

// cursor is an offset in the text, with the number of its line, from 1, and the offset at which the line begins.
type cursor struct{ at, line, lineStart int }

// maxDepth is how deep collections may be nested. The library reads deeper ones.
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

// peek returns the byte at the offset, or 0 at the end. The text itself has no byte 0.
func (r *reader) peek(at int) byte {
	if at < len(r.text) {
		return r.text[at]
	}
	return 0
}

// ended reports whether the token at the cursor is the end of the text.
func (r *reader) ended() bool { return r.column < 0 }

// skipSpaces passes over spaces, but not over tabs, because the library allows tabs only in some places.
func (r *reader) skipSpaces() {
	r.at = lex.SkipSpaces(r.text, r.at)
}
