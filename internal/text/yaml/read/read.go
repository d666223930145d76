// Package read reads YAML into nodes that know their range in the text.
//
// One reader goes over the text once. It reads what people and programs write, and notes where it is not sure that
// go.yaml.in/yaml/v3 reads a text in the same way: tags, tabs, keys with question marks and much else that is rare.
// Then JSON is read by the rules of JSON, and anything else by the library, which confirms the nodes of the reader. If
// it does not, its own nodes are returned, without their ranges. What the reader cannot read at all is a problem with a
// position; it is the error if the library refuses the text too.
//
// The reader is never more lenient than the library: what it is sure of, the library reads as the same tree, and tests
// compare the two.
package read

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"unicode/utf8"

	"pillion.dev/pillion/internal/text/yaml/lex"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// Document reads a text that holds exactly one document. The nodes have the same kinds, styles, tags and values as
// those of yaml.v3.
//
// The error is io.EOF for a text without a document, and an *Error otherwise. A repeated key is not an error.
//
// The values of the nodes may share the memory of the text, which must not change as long as they are in use.
func Document(text []byte) (*node.Node, error) { return new(Arena).Document(text) }

// Into is like Document, and puts the document into a node. A text without a document leaves the node as it is.
func Into(text []byte, document *node.Node) error {
	found, err := Document(text)
	if err == nil {
		*document = *found
	}
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// Document is like the function Document, with nodes of the arena.
func (a *Arena) Document(text []byte) (*node.Node, error) {
	document, ok := a.Sure(text, 0)
	if ok {
		return document, nil
	}
	found := a.reader.problem
	if object, ok := fromJSON(text, a); ok {
		return object, nil
	}
	return fromLibrary(text, document, found)
}

// fromJSON reads an object or a list in JSON by the rules of JSON: YAML refuses some of its escapes and characters, and
// folds others into spaces. The reader does neither; it only is not sure of them.
func fromJSON(text []byte, arena *Arena) (document *node.Node, ok bool) {
	start := len(text) - len(bytes.TrimLeft(text, " \t\r\n"))
	if start == len(text) || text[start] != '{' && text[start] != '[' {
		return nil, false
	}
	if !utf8.Valid(text) || !json.Valid(text) { // json.Valid reads invalid UTF-8 as U+FFFD
		return nil, false
	}
	r := newReader(text, arena)
	r.at = start
	root := r.flowCollection()
	if root == nil {
		return nil, false
	}
	return r.wrapped(node.DocumentNode, start, len(text), root), true
}

// Sure reads the document whose first line begins at an offset of a text, up to the end of the text. It is not ok if
// the library may read it in another way. The ranges of its nodes are those in the whole text.
func (a *Arena) Sure(text []byte, at int) (document *node.Node, ok bool) {
	r := newReader(text, a)
	r.at, r.lineStart = at, at
	document = r.document()
	return document, document != nil && !r.unsure && r.at == len(text)
}

// Entry is the result of Arena.Entry.
type Entry struct {
	// Node is the entry, as far as it is known, and Document a document with a list of only this entry.
	Node, Document *node.Node
	// Next is the offset of the next token, and Column its column, from 0. It is -1 at the end of the document.
	Next, Column int
	// Sure is set if the library reads the same node. Otherwise only the ranges are probably right.
	Sure bool
}

// Entry reads the entry of a block list whose dash is at the offset of a text. The ranges of its nodes are those in the
// whole text. It is not ok if even the end of the entry cannot be found.
func (a *Arena) Entry(text []byte, dash int) (entry Entry, ok bool) {
	r := newReader(text, a)
	r.at, r.lineStart = dash+1, 1+bytes.LastIndexByte(text[:dash], '\n')
	n := r.behindIndicator(dash-r.lineStart, false, true)
	if n == nil {
		return Entry{}, false
	}
	entry = Entry{Node: n, Next: r.at, Column: r.column, Sure: !r.unsure && isOrdinary(r.text[dash:r.at])}
	list := r.wrapped(node.SequenceNode, dash, int(n.End), n)
	entry.Document = r.wrapped(node.DocumentNode, dash, int(n.End), list)
	return entry, true
}

// InBraces reads the key or the value at an offset in brackets, and returns the offset behind it. It is sure if the
// library reads the same.
func (a *Arena) InBraces(text []byte, at int) (n *node.Node, end int, sure bool) {
	if at >= len(text) {
		return nil, at, false
	}
	r := newReader(text, a)
	r.at, r.lineStart = at, at
	if at > 0 && text[at-1] != '\n' {
		r.lineStart-- // where the line begins does not matter, except that it is not here
	}
	n = r.content(true)
	return n, r.at, n != nil && !r.unsure && isOrdinary(r.text[at:r.at])
}

// Error is the first problem of a text that is not YAML.
type Error struct {
	// At is its offset in the text, and Message what is wrong, with the remedy if one is known.
	At      int
	Message string
	// IsYAML is set if the text is YAML, and has an alias without an anchor before it, or several documents.
	IsYAML bool
	// IsTemplate is set if an action of a template is what is wrong.
	IsTemplate bool

	way string // of writing that the reader cannot follow; empty if it is not known
}

func (e *Error) Error() string { return e.Message }

// Position returns the line and the column of an offset, from 1, in characters.
func Position(text []byte, at int) (line, column int) {
	start := bytes.LastIndexByte(text[:at], '\n') + 1
	before := bytes.TrimPrefix(text[start:at], []byte(lex.ByteOrderMark))
	return 1 + bytes.Count(text[:at], []byte{'\n'}), 1 + utf8.RuneCount(before)
}
