// Package emit writes new nodes as YAML text in the style of the text that they are put
// into. It is not an encoder of whole documents: it has no comments, anchors or aliases.
package emit

import "go.yaml.in/yaml/v3"

// Style is how the text around the new text is written.
type Style struct {
	// LineEnd is "\n" or "\r\n".
	LineEnd string
	Indents
	// Near is how far the values of keys that are written stand to the right, where their
	// neighbours tell; what is inside of these values has Indents all the same.
	Near *Indents
	// DashWidth is how far an entry stands to the right of its dash.
	DashWidth int
	// NoBlockScalars has texts of many lines written in quotes.
	NoBlockScalars bool
	// Texts is how some nodes are written, whatever the style: what stands behind the colon or
	// the dash and one blank, without the last line end. A text that begins with a line break or a
	// comment has lines of its own. Lines of an entry that is a block stand at the column two
	// behind its dash, those of a value in brackets where the line of the value begins, and all
	// others at the column of the key or the dash. Verbatim ends some lines.
	Texts map[*yaml.Node]string
	// Flow is how collections in brackets are written.
	Flow FlowStyle
}

// Indents is how far lines stand to the right of others.
type Indents struct {
	// Indent is how far a mapping stands to the right of its key.
	Indent int
	// ListIndent is how far a list's dashes stand to the right of its key; compact lists have 0.
	ListIndent int
}

// FlowStyle is how collections in brackets are written.
type FlowStyle struct {
	// JSON has keys and strings in double quotes.
	JSON bool
	// Tight leaves out the blanks behind commas, and behind colons where JSON allows it.
	Tight bool
	// Padded has blanks inside of braces.
	Padded bool
	// Lines puts each entry on a line of its own.
	Lines bool
	// Unit is one level of indentation of these lines.
	Unit string
}

// inline reports whether a node is written behind its key or dash, in whole or, as with the
// "|" of a block scalar, in part.
func inline(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode || n.Kind == yaml.AliasNode || n.Style&yaml.FlowStyle != 0 || len(n.Content) == 0
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
