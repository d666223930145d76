package splice

import (
	"bytes"
	"fmt"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/emit"
	"pillion.dev/pillion/internal/yaml/lex"
	"pillion.dev/pillion/internal/yaml/node"
	"pillion.dev/pillion/internal/yaml/parse"
)

// Rewrite writes the whole document anew, as far as possible in the style of text. The result can replace the text: it has the
// same markers and the same column. A text that ends inside of a block scalar is refused.
func Rewrite(text []byte, after *yaml.Node) ([]byte, error) {
	before, err := parse.Commented(text)
	if err != nil {
		return nil, err
	}
	if len(before.Content) != 1 {
		return nil, errEmpty
	}
	if parse.EndsOpen(text) {
		return nil, errOpenScalar
	}
	style, column := rewriteStyle(text, before)
	encoded, err := encode(withComments(after, before), style)
	if err != nil || readsBackAs(nil, encoded, after) != nil {
		// The encoder fails on some comments. Then they are left out, and the values are kept.
		encoded, err = encode(after, style)
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
	return result, readsBackAs(nil, result, after)
}

// rewriteStyle returns the style of the text and its column.
func rewriteStyle(text []byte, before *yaml.Node) (emit.Style, int) {
	lines := lex.NewLines(text)
	at := node.PositionOf(before.Content[0])
	root := lines.Offset(at.Line, at.Column)
	column := 0
	if root >= 0 && !lines.BeginsBehind(root) {
		column = at.Column - 1
	}
	return styleOf(text, before, nil), column
}

// withComments returns a copy of a tree, with the comments of the original in the nodes that it shares with that.
func withComments(after, original *yaml.Node) *yaml.Node {
	originals := map[node.Identity]*yaml.Node{}
	node.Visit(original, func(n *yaml.Node) { originals[node.IdentityOf(n)] = n })
	c := node.Copy(after)
	node.Visit(c, func(n *yaml.Node) {
		if o := originals[node.IdentityOf(n)]; o != nil && node.IsRead(n) {
			n.HeadComment, n.LineComment, n.FootComment = o.HeadComment, o.LineComment, o.FootComment
		}
	})
	return c
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

// prolog returns the directives and the marker that a text begins with.
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
			moved = emit.Spaces(moved, column)
		}
		moved = append(moved, line...)
	}
	return moved
}
