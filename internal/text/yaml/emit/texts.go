package emit

import (
	"strings"

	"pillion.dev/pillion/internal/text/yaml/node"
)

// Verbatim ends a line of a text that is written as it is, without the indent of the others: a line of blanks, or one
// that is less deep than the others.
const Verbatim = "\r"

// Text returns the text of a node in Texts. If no line end may follow, a text that ends in a block scalar with a line
// end cannot be used.
func (s Style) Text(n *node.Node) (string, bool) {
	text, known := s.Texts[n]
	return text, known && (!s.NoBlockScalars || !endsInBlock(n))
}

func endsInBlock(n *node.Node) bool {
	for len(n.Content) > 0 && n.Style&node.FlowStyle == 0 {
		n = n.Content[len(n.Content)-1]
	}
	return n.Style&(node.LiteralStyle|node.FoldedStyle) != 0 && strings.HasSuffix(n.Value, "\n")
}

// behind appends a text behind a colon or a dash, on that line or on lines of its own.
func (s Style) behind(dst []byte, text string, column int) []byte {
	if text != "" && text[0] != '\n' {
		dst = append(dst, ' ')
	}
	return s.indented(dst, text, strings.Repeat(" ", column))
}

// indented appends a text, with an indent before each line except the first.
func (s Style) indented(dst []byte, text, indent string) []byte {
	for i, line := range strings.Split(text, "\n") {
		if i > 0 {
			dst = append(dst, s.LineEnd...)
		}
		content, verbatim := strings.CutSuffix(line, Verbatim)
		if i > 0 && line != "" && !verbatim {
			dst = append(dst, indent...)
		}
		dst = append(dst, content...)
	}
	return dst
}
