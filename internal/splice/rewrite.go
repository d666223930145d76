package splice

import (
	"bytes"
	"fmt"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/emit"
	"pillion.dev/pillion/internal/extent"
	"pillion.dev/pillion/internal/node"
)

// Rewrite writes the whole document anew, in the style of text where that can be told. The
// result can stand where text stood: behind the same markers, at the same column.
func Rewrite(text []byte, after *yaml.Node) ([]byte, error) {
	style, column := rewriteStyle(text)
	encoded, err := encode(after, style)
	if err != nil || readsBackAs(encoded, after) != nil {
		// Comments are what the encoder may trip over; values must survive.
		encoded, err = encode(withoutComments(after), style)
	}
	if err != nil {
		return nil, fmt.Errorf("the object cannot be written: %w", err)
	}
	result := append(bytes.Clone(prolog(text)), indented(encoded, column)...)
	if style.LineEnd != "\n" {
		result = bytes.ReplaceAll(result, []byte("\n"), []byte(style.LineEnd))
		result = bytes.ReplaceAll(result, []byte("\r\r\n"), []byte("\r\n"))
	}
	if !bytes.HasSuffix(text, []byte("\n")) {
		result = trimLineEnd(result)
	}
	return result, readsBackAs(result, after)
}

// rewriteStyle is the style of the text and the column that it stands at.
func rewriteStyle(text []byte) (emit.Style, int) {
	style := emit.Style{LineEnd: lineEndOf(text), Indent: 2, DashWidth: 2}
	var before yaml.Node
	if err := yaml.Unmarshal(text, &before); err != nil || len(before.Content) != 1 {
		return style, 0
	}
	lines := extent.NewLines(text)
	root := lines.Offset(before.Content[0].Line, before.Content[0].Column)
	column := 0
	if root >= 0 && len(bytes.TrimLeft(text[lines.Start(root):root], " ")) == 0 {
		column = before.Content[0].Column - 1
	}
	if extents, err := extent.Of(text, &before); err == nil {
		style = styleOf(text, &before, extents)
	}
	return style, column
}

func encode(n *yaml.Node, style emit.Style) ([]byte, error) {
	var buffer bytes.Buffer
	encoder := yaml.NewEncoder(&buffer)
	encoder.SetIndent(max(style.Indent, 2))
	if style.ListIndent == 0 {
		encoder.CompactSeqIndent()
	}
	if err := encoder.Encode(n); err != nil {
		return nil, err
	}
	err := encoder.Close()
	return buffer.Bytes(), err
}

// prolog is the directives and the marker that a text begins with.
func prolog(text []byte) []byte {
	if len(text) == 0 || text[0] != '%' && !bytes.HasPrefix(text, []byte("---")) {
		return nil
	}
	marker := bytes.Index(text, []byte("---"))
	if marker < 0 {
		return nil
	}
	return append(bytes.Clone(text[:marker+3]), '\n')
}

// indented moves text to a column. Blank lines stay blank.
func indented(text []byte, column int) []byte {
	if column == 0 {
		return text
	}
	var moved []byte
	for line := range bytes.Lines(text) {
		if len(bytes.TrimSpace(line)) > 0 {
			moved = indentation(moved, column)
		}
		moved = append(moved, line...)
	}
	return moved
}

func withoutComments(n *yaml.Node) *yaml.Node {
	c := node.Copy(n)
	clearComments(c)
	return c
}

func clearComments(n *yaml.Node) {
	n.HeadComment, n.LineComment, n.FootComment = "", "", ""
	for _, child := range n.Content {
		clearComments(child)
	}
}
