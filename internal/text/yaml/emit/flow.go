package emit

import (
	"strings"

	"pillion.dev/pillion/internal/text/yaml/node"
)

// FlowValue appends a node inside of brackets. Indent is the blanks that the
// line around it begins with, which matters if entries have lines of their own.
func (s Style) FlowValue(dst []byte, n *node.Node, indent string) []byte {
	if text := strings.Trim(s.Texts[n], " "); fitsBrackets(text) && (n.Kind == node.ScalarNode || n.Style&node.FlowStyle != 0) {
		return s.indented(dst, text, indent)
	}
	switch {
	case n.Kind == node.ScalarNode && s.Flow.KYAML && n.Tag == node.StrTag:
		return s.indented(dst, kyamlString(n.Value), indent)
	case n.Kind == node.ScalarNode:
		return s.Scalar(dst, n, true)
	}
	opening, closing := byte('['), byte(']')
	if n.Kind == node.MappingNode {
		opening, closing = '{', '}'
	}
	dst = append(dst, opening)
	hasLines := s.Flow.Indent != "" && !(s.Flow.KYAML && cuddles(n))
	inner := indent
	if hasLines {
		inner += s.Flow.Indent
	}
	for i := range n.Children() {
		if i > 0 {
			dst = append(dst, ',')
		}
		switch {
		case hasLines:
			dst = append(append(dst, s.LineEnd...), inner...)
		case i > 0 && !s.Flow.Tight:
			dst = append(dst, ' ')
		}
		dst = s.FlowChild(dst, n, i, inner)
	}
	if len(n.Content) > 0 && hasLines {
		if s.Flow.KYAML {
			dst = append(dst, ',')
		}
		dst = append(append(dst, s.LineEnd...), indent...)
	}
	return append(dst, closing)
}

// fitsBrackets reports whether other text may follow a text on its line.
func fitsBrackets(text string) bool {
	if text == "" || strings.IndexByte("\n#|>", text[0]) >= 0 {
		return false
	}
	last := text[strings.LastIndexByte(text, '\n')+1:]
	return !strings.Contains(last, " #") && !strings.HasPrefix(last, "#")
}

// FlowChild appends the entry or the pair with an index of a collection inside of brackets.
func (s Style) FlowChild(dst []byte, n *node.Node, i int, indent string) []byte {
	if n.Kind != node.MappingNode {
		return s.FlowValue(dst, n.Content[i], indent)
	}
	if key := n.Content[2*i]; s.Flow.KYAML && key.Tag == node.StrTag {
		dst = append(dst, kyamlKey(key.Value)...)
	} else {
		dst = s.Scalar(dst, key, true)
	}
	dst = append(dst, ':')
	if !s.Flow.Tight {
		dst = append(dst, ' ')
	}
	return s.FlowValue(dst, n.Content[2*i+1], indent)
}
