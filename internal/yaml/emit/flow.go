package emit

import (
	"strings"

	"pillion.dev/pillion/internal/yaml/node"
)

// FlowValue appends a node inside of brackets. Indent is the blanks that the
// line around it begins with, which matters if entries have lines of their own.
func (s Style) FlowValue(dst []byte, n *node.Node, indent string) []byte {
	if text := strings.Trim(s.Texts[n], " "); fitsBrackets(text) && (n.Kind == node.ScalarNode || n.Style&node.FlowStyle != 0) {
		return s.indented(dst, text, indent)
	}
	if n.Kind == node.ScalarNode {
		return s.Scalar(dst, n, true)
	}
	opening, closing := byte('['), byte(']')
	if n.Kind == node.MappingNode {
		opening, closing = '{', '}'
	}
	dst = append(dst, opening)
	inner := indent + s.Flow.Indent
	for i := range n.Children() {
		dst = s.FlowChild(s.flowGap(dst, i > 0, n.Kind, inner), n, i, inner)
	}
	if len(n.Content) > 0 {
		switch {
		case s.Flow.Indent != "":
			dst = append(append(dst, s.LineEnd...), indent...)
		case s.Flow.Padded && n.Kind == node.MappingNode:
			dst = append(dst, ' ')
		}
	}
	return append(dst, closing)
}

// fitsBrackets reports whether other text may follow a text on its line.
func fitsBrackets(text string) bool {
	if text == "" || hasOwnLines(text) || strings.IndexByte("|>", text[0]) >= 0 {
		return false
	}
	last := text[strings.LastIndexByte(text, '\n')+1:]
	return !strings.Contains(last, " #") && !strings.HasPrefix(last, "#")
}

// flowGap appends what comes before an entry: a comma behind the one before it, and a space or a new line.
func (s Style) flowGap(dst []byte, behindAnother bool, kind node.Kind, indent string) []byte {
	if behindAnother {
		dst = append(dst, ',')
	}
	switch {
	case s.Flow.Indent != "":
		return append(append(dst, s.LineEnd...), indent...)
	case behindAnother && !s.Flow.Tight, !behindAnother && s.Flow.Padded && kind == node.MappingNode:
		return append(dst, ' ')
	}
	return dst
}

// FlowChild appends the entry or the pair with an index of a collection inside of brackets.
func (s Style) FlowChild(dst []byte, n *node.Node, i int, indent string) []byte {
	if n.Kind != node.MappingNode {
		return s.FlowValue(dst, n.Content[i], indent)
	}
	dst = append(s.Scalar(dst, n.Content[2*i], true), ':')
	if !s.Flow.Tight {
		dst = append(dst, ' ')
	}
	return s.FlowValue(dst, n.Content[2*i+1], indent)
}
