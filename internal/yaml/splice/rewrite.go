package splice

import (
	"bytes"
	"cmp"
	"fmt"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/emit"
	"pillion.dev/pillion/internal/yaml/lex"
	"pillion.dev/pillion/internal/yaml/node"
	"pillion.dev/pillion/internal/yaml/read"
)

// Rewrite writes the whole document anew, as far as possible in the style of text. The result can replace the text: it has the
// same markers and the same column. A text that ends inside of a block scalar is refused.
func Rewrite(text []byte, after *node.Node) ([]byte, error) {
	commented, err := read.Commented(text)
	if err != nil {
		return nil, err
	}
	before, err := read.Document(text)
	if err != nil {
		return nil, err
	}
	if read.EndsOpen(text) {
		return nil, errOpenScalar
	}
	c := converter{lines: read.Lines(text), read: map[position]*yaml.Node{}}
	c.collect(commented)
	style := styleOf(c.lines, before, nil)
	encoded, err := encode(c.convert(after), style)
	if err != nil || readsBackAs(nil, encoded, after) != nil {
		// The encoder fails on some comments. Then they are left out, and the values are kept.
		c.withoutComments = true
		encoded, err = encode(c.convert(after), style)
	}
	if err != nil {
		return nil, fmt.Errorf("the object cannot be written: %w", err)
	}
	if root := int(before.Content[0].Start); !c.lines.BeginsBehind(root) {
		encoded = indented(encoded, c.lines.Column(root))
	}
	result := append(prolog(text), encoded...)
	if style.LineEnd != "\n" {
		result = bytes.ReplaceAll(result, []byte("\n"), []byte(style.LineEnd))
		result = bytes.ReplaceAll(result, []byte("\r\r\n"), []byte("\r\n"))
	}
	if !bytes.HasSuffix(text, []byte("\n")) {
		result = trimLineEnd(result)
	}
	return result, readsBackAs(nil, result, after)
}

// converter makes nodes of the library, which writes them.
type converter struct {
	lines lex.Lines
	// read holds the nodes of the text as the library reads them.
	read            map[position]*yaml.Node
	last            lex.Cursor // the position of the last node that was collected
	withoutComments bool
}

// position is where a node is in the text.
type position struct {
	start int
	kind  yaml.Kind
}

func (c *converter) collect(n *yaml.Node) {
	c.read[position{c.last.Move(c.lines, n.Line, n.Column), n.Kind}] = n
	for _, child := range n.Content {
		c.collect(child)
	}
}

func (c *converter) convert(n *node.Node) *yaml.Node {
	to := n.Library()
	c.complete(n, to)
	return to
}

// complete adds to the nodes of the library what only the text has: comments, anchors, and tags that are not those of YAML.
func (c *converter) complete(n *node.Node, to *yaml.Node) {
	if was := c.read[position{int(n.Start), to.Kind}]; was != nil && node.IsRead(n) {
		if !c.withoutComments {
			to.HeadComment, to.LineComment, to.FootComment = was.HeadComment, was.LineComment, was.FootComment
		}
		if n.Tag == node.OtherTag {
			to.Tag = was.Tag
		}
		to.Anchor = was.Anchor
	}
	for i, child := range to.Content {
		c.complete(n.Content[i], child)
	}
}

func encode(n *yaml.Node, style emit.Style) ([]byte, error) {
	var buffer bytes.Buffer
	encoder := yaml.NewEncoder(&buffer)
	encoder.SetIndent(max(style.Indent, 2))
	if style.ListIndent == 0 {
		encoder.CompactSeqIndent()
	}
	err := cmp.Or(encoder.Encode(n), encoder.Close())
	return buffer.Bytes(), err
}

// prolog returns the directives and the marker that a text begins with.
func prolog(text []byte) []byte {
	marker := bytes.Index(text, []byte("---"))
	if marker < 0 || marker > 0 && text[0] != '%' {
		return nil
	}
	return append(bytes.Clone(text[:marker+3]), '\n')
}

// indented moves text to a column. Blank lines stay blank.
func indented(text []byte, column int) []byte {
	var moved []byte
	for line := range bytes.Lines(text) {
		if len(bytes.TrimSpace(line)) > 0 {
			moved = emit.Spaces(moved, column)
		}
		moved = append(moved, line...)
	}
	return moved
}
