package emit

import (
	"strings"

	"pillion.dev/pillion/internal/text/yaml/node"
)

// maxFlowIndent is the indent up to which entries in brackets have lines of their own: each of thousands repeats it.
const maxFlowIndent = 1000

// FlowValue appends a node inside of brackets. Indent is the blanks that the
// line around it begins with, which matters if entries have lines of their own.
func (s Style) FlowValue(dst []byte, n *node.Node, indent string) []byte {
	if text, fits := s.flowText(n); fits {
		return s.indented(dst, text, indent)
	}
	if n.Kind == node.ScalarNode {
		return s.flowScalar(dst, n, indent)
	}
	opening, closing := byte('['), byte(']')
	if n.Kind == node.MappingNode {
		opening, closing = '{', '}'
	}
	dst = append(dst, opening)
	hasLines := s.hasLines(n, indent)
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
	if hasLines {
		if s.Flow.KYAML {
			dst = append(dst, ',')
		}
		dst = append(append(dst, s.LineEnd...), indent...)
	}
	return append(dst, closing)
}

// hasLines reports whether the entries of a collection in brackets have lines of their own.
func (s Style) hasLines(n *node.Node, indent string) bool {
	if len(n.Content) == 0 || s.Flow.KYAML && cuddles(n) {
		return false
	}
	return s.Flow.Indent != "" && len(indent) <= maxFlowIndent
}

// flowText returns how a node in Texts is written in brackets. It does not fit if it cannot be written there.
func (s Style) flowText(n *node.Node) (text string, fits bool) {
	text, isKnown := s.Texts[n]
	text = strings.Trim(text, " ")
	if text == "" {
		return text, isKnown && n.Tag == node.NullTag
	}
	return text, fitsBrackets(text) && (n.Kind == node.ScalarNode || n.Style&node.FlowStyle != 0)
}

// flowScalar appends a scalar inside of brackets.
func (s Style) flowScalar(dst []byte, n *node.Node, indent string) []byte {
	if s.Flow.KYAML && n.Tag == node.StrTag {
		return s.indented(dst, kyamlString(n.Value), indent)
	}
	return s.Scalar(dst, n, true)
}

// fitsBrackets reports whether other text may follow a text on its line.
func fitsBrackets(text string) bool {
	if strings.IndexByte("\n#|>", text[0]) >= 0 {
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
	dst = append(s.flowKey(dst, n.Content[2*i]), ':')
	if !s.Flow.Tight {
		dst = append(dst, ' ')
	}
	return s.FlowValue(dst, n.Content[2*i+1], indent)
}

// flowKey appends a key inside of brackets.
func (s Style) flowKey(dst []byte, key *node.Node) []byte {
	if s.Flow.KYAML && key.Tag == node.StrTag {
		return append(dst, kyamlKey(key.Value)...)
	}
	return s.Scalar(dst, key, true)
}
