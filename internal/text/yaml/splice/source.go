package splice

import (
	"bytes"
	"fmt"

	"pillion.dev/pillion/internal/text/yaml/lex"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// source is a text with an index of its lines, and finds what is beside the nodes that were read from it.
type source struct{ lex.Lines }

// childRange is where a child of a collection is written.
type childRange struct {
	parent, node *node.Node
	// child is the index of the entry, or of the pair that the node is the value of.
	child int
	// lead is the dash or the colon before the node, or -1 if there is none.
	lead int
	// behind is the offset at which its value is written: behind the lead, or behind the anchor of a pair's value,
	// which stays unless a tag is there too.
	behind int
	// content is its first byte behind the anchor and the tag.
	start, content, end int
}

// rangeOf returns the range of a child of a collection, by its index in the content.
func (t *source) rangeOf(parent *node.Node, index int) childRange {
	n := parent.Content[index]
	p := childRange{parent: parent, node: n, child: index, lead: -1, start: int(n.Start), end: int(n.End)}
	switch {
	case parent.Kind == node.MappingNode:
		p.child /= 2
		if at := lex.SkipSpace(t.Text, int(head(parent, p.child).End)); at < p.start && t.Text[at] == ':' {
			p.lead = at
		}
	case parent.Kind == node.SequenceNode && parent.Style&node.FlowStyle == 0:
		p.lead = t.childStart(parent, index)
	}
	p.behind, p.content = t.properties(n)
	if p.behind == 0 || n.Style&node.TaggedStyle != 0 || parent.Kind == node.SequenceNode { // "- &a key:" anchors the key
		p.behind = p.lead + 1
	}
	return p
}

// properties returns the offset behind the anchor of a node, or 0, and the first byte behind its anchor and its tag.
func (t *source) properties(n *node.Node) (anchor, content int) {
	content = int(n.Start)
	if n.Kind == node.MappingNode && len(n.Content) > 0 && n.Start == n.Content[0].Start {
		return 0, content // properties here are those of the first key
	}
	for content < int(n.End) && (t.Text[content] == '&' || t.Text[content] == '!') {
		end := lex.WordEnd(t.Text, content, true)
		if t.Text[content] == '&' {
			end = lex.NameEnd(t.Text, content+1)
			anchor = end
		}
		content = lex.SkipSpace(t.Text, end)
	}
	return anchor, min(content, int(n.End))
}

// content returns the first byte of a node behind its anchor and its tag.
func (t *source) content(n *node.Node) int {
	_, content := t.properties(n)
	return content
}

// head returns the first node of a child: the key of a pair, or the entry itself.
func head(n *node.Node, i int) *node.Node {
	if n.Kind == node.MappingNode {
		return n.Content[2*i]
	}
	return n.Content[i]
}

// valueIndex returns the index in the content of a child's value: that of a pair, or the entry itself.
func valueIndex(n *node.Node, i int) int {
	if n.Kind == node.MappingNode {
		return 2*i + 1
	}
	return i
}

// childEnd returns the offset behind the value of a child.
func childEnd(n *node.Node, i int) int { return int(n.Content[valueIndex(n, i)].End) }

// childStart returns the offset of the key, its question mark or the dash with which a child of a block collection
// begins.
func (t *source) childStart(n *node.Node, i int) int {
	if i == 0 {
		return t.content(n)
	}
	return lex.SkipSpace(t.Text, childEnd(n, i-1))
}

// lineIndent returns the blanks that the line of the offset begins with.
func (t *source) lineIndent(offset int) string {
	line := t.Start(offset)
	return string(t.Text[line:lex.SkipBlanks(t.Text, line)])
}

// beginsLine reports whether only blanks come before the offset on its line, which is not the first of the text.
func (t *source) beginsLine(at int) bool {
	return t.Start(at) > 0 && lex.SkipBlanks(t.Text, t.Start(at)) >= at
}

// onOneLine reports whether two offsets are on the same line.
func (t *source) onOneLine(a, b int) bool { return t.Start(a) == t.Start(b) }

// commentIn returns an error if there is a comment in a range without scalars, which is removed although it is not part
// of what goes.
func (t *source) commentIn(start, end int) error {
	at := bytes.IndexByte(t.Text[start:max(start, end)], '#')
	if at < 0 {
		return nil
	}
	return fmt.Errorf("the comment %q would be lost", bytes.TrimSpace(t.Text[start+at:lex.LineEnd(t.Text, start+at)]))
}

// aboveComments returns the first of the lines right above a line that hold only a comment at most as deep as a column,
// and are not above the floor.
func (t *source) aboveComments(line, floor, column int) int {
	for line > floor {
		above := t.Start(line - 1)
		if indent, comment := t.Comment(above); above < floor || above == line || !comment || indent > column {
			break
		}
		line = above
	}
	return line
}
