// Package emit writes new nodes as YAML in the style of the text around them.
// It is not an encoder of whole documents: it does not write comments, anchors, aliases or the tags of collections.
package emit

import "pillion.dev/pillion/internal/text/yaml/node"

// Style is how new text is written.
type Style struct {
	// LineEnd is "\n" or "\r\n".
	LineEnd string
	// Indent is how much deeper than its key a mapping is.
	Indent int
	// ListIndent is how much deeper than its key the dashes of a list are; compact lists have 0.
	ListIndent int
	// DashWidth is how much deeper than its dash an entry is.
	DashWidth int
	// NoBlockScalars makes strings of several lines be written in quotes.
	NoBlockScalars bool
	// Texts is how some nodes are written, whatever the style: what comes behind the colon or the dash and one space,
	// without the last line end. A text that begins with a line break or a comment has lines of its own. The indent of
	// lines is left out: for an entry that is a block, it is two more than the column of the dash; for a value in
	// brackets, that of the line of the value; and otherwise, the column of the key or the dash. Lines that end with
	// Verbatim have no such indent.
	Texts map[*node.Node]string
	// Flow is how collections in brackets are written.
	Flow FlowStyle
}

// FlowStyle is how collections in brackets are written.
type FlowStyle struct {
	// JSON puts keys and strings in double quotes.
	JSON bool
	// KYAML puts strings in double quotes, keys only if they need them, and a comma behind each entry with lines of its
	// own, as kubectl does with "-o kyaml".
	KYAML bool
	// Tight leaves out the spaces behind commas and colons, which only JSON can do.
	Tight bool
	// Indent is the blanks by which lines are deeper than the bracket if each entry has a line of its own, or the empty
	// string.
	Indent string
}

// inline reports whether a node begins on the line of its key or dash, as even a block scalar does with its "|".
func inline(n *node.Node) bool {
	return n.Kind == node.ScalarNode || n.Kind == node.AliasNode || n.Style&node.FlowStyle != 0 || len(n.Content) == 0
}

// Spaces appends spaces.
func Spaces(dst []byte, count int) []byte {
	for ; count > 0; count-- {
		dst = append(dst, ' ')
	}
	return dst
}

// newLine begins a line at a column.
func (s Style) newLine(dst []byte, column int) []byte {
	return Spaces(append(dst, s.LineEnd...), column)
}
