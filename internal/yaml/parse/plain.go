package parse

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/lex"
)

// scalar reads the plain or quoted scalar at the cursor and ends right behind it, and at the
// end of the line if it is plain: what follows decides whether it goes on below.
func (r *reader) scalar() *yaml.Node {
	switch r.text[r.at] {
	case '"', '\'':
		return r.quoted()
	}
	return r.plain(false)
}

// plain reads the plain scalar at the cursor. It declines one that begins with a question mark or a colon, which is rare.
func (r *reader) plain(flow bool) *yaml.Node {
	start := r.at
	switch c := r.text[start]; {
	case c == '-' && !r.atDash():
	case lex.IsIndicator(c), c == '\t':
		return nil
	}
	end := r.plainEnd(start, flow)
	if end < 0 || r.text[start:end] == "<<" || r.atMarker() {
		return nil
	}
	n := r.node(yaml.ScalarNode, "", start)
	n.Value = r.text[start:end]
	n.Tag = tagOf(n)
	r.at = end
	return n
}

// plainEnd returns the end of the part of a plain scalar that is on the line, without blanks behind it. It returns -1
// where there are tabs, which are blanks only sometimes.
func (r *reader) plainEnd(start int, flow bool) int {
	end := lex.PlainEnd(r.text, start, flow)
	if r.tabs && r.hasTab(start, end) {
		return -1
	}
	return lex.TrimBlanks(r.text, start, end)
}

// hasTab reports whether there is a tab in a range of the text.
func (r *reader) hasTab(start, end int) bool {
	return strings.IndexByte(r.text[start:end], '\t') >= 0
}

// atMarker reports whether a document marker is at the cursor.
func (r *reader) atMarker() bool { return r.at == r.lineStart && lex.IsMarkerAt(r.text, r.at) }
