package splice

import (
	"bytes"

	"pillion.dev/pillion/internal/yaml/emit"
	"pillion.dev/pillion/internal/yaml/node"
)

// flowStart returns the offset of a child in brackets.
func flowStart(b *node.Node, i int) int { return int(head(b, i).Start) }

// flowEnd returns the offset behind a child in brackets, without its comma.
func flowEnd(b *node.Node, i int) int {
	return max(childEnd(b, i), int(head(b, i).End))
}

// separator returns what follows the comma between children: nothing, a space, or a new line
// if the child at the offset begins one.
func (s *splicer) separator(b *node.Node, start int) []byte {
	switch {
	case s.beginsLine(start):
		return append([]byte(s.style.LineEnd), s.lineIndent(start)...)
	case s.flowStyle(b).Flow.Tight:
		return nil
	}
	return []byte{' '}
}

// flowStyle returns the style of the collection in brackets. An empty one has the style of the whole document.
func (s *splicer) flowStyle(b *node.Node) emit.Style {
	style := s.style
	shown := b
	if len(b.Content) == 0 && s.root.Style&node.FlowStyle != 0 {
		shown = s.root
	}
	content := s.content(shown)
	text := s.text[content:shown.End]
	spansLines := bytes.IndexByte(text, '\n') >= 0
	style.Flow = emit.FlowStyle{JSON: usesQuotedKeys(shown)}
	style.Flow.Padded = isPadded(text)
	style.Flow.Tight = style.Flow.JSON && !spansLines && !bytes.Contains(text, []byte(`": `))
	if len(shown.Content) > 0 && style.Flow.JSON && s.beginsLine(flowStart(shown, 0)) && !s.hasShortChild(shown) {
		style.Flow.Lines = true
		style.Flow.Unit = string(bytes.TrimPrefix(s.lineIndent(flowStart(shown, 0)), s.lineIndent(content)))
	}
	if s.root.Style&node.FlowStyle != 0 && !style.Flow.JSON { // a list of texts has no keys that show it
		style.Flow.JSON = usesQuotedKeys(s.root)
	}
	return style
}

// isPadded reports whether a space follows the brace that a text begins with, and not a comment behind it.
func isPadded(text []byte) bool {
	if text[0] == '[' {
		text = bytes.TrimLeft(text[1:], " ")
	}
	return len(text) > 2 && text[0] == '{' && text[1] == ' ' && bytes.TrimLeft(text[1:], " ")[0] != '#'
}

// hasShortChild reports whether a collection inside of this one is on one line.
func (s *splicer) hasShortChild(b *node.Node) bool {
	for _, child := range b.Content {
		if len(child.Content) > 0 && s.onOneLine(s.content(child), int(child.End)) {
			return true
		}
	}
	return false
}

// usesQuotedKeys reports whether the keys in brackets are written as in JSON.
func usesQuotedKeys(n *node.Node) bool {
	if n.Kind == node.MappingNode && len(n.Content) > 0 {
		return n.Content[0].Style&node.DoubleQuotedStyle != 0
	}
	for _, child := range n.Content {
		if usesQuotedKeys(child) {
			return true
		}
	}
	return false
}
