package read

import (
	"pillion.dev/pillion/internal/text/yaml/lex"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// withProperties reads a value with an anchor or a tag, and goes to the next token. The column is that of the node, or
// -1 behind a colon. Otherwise, a key may follow on the line. It has the properties then, and is left to the library.
func (r *reader) withProperties(parent, column int) *node.Node {
	start := r.at
	name, ok := r.properties(false)
	if !ok {
		return nil
	}
	if r.atLineEnd() {
		return r.anchored(r.nodeBelow(parent, column < 0, trimmed(r.text, start, r.at)), start, name)
	}
	n := r.value(parent, -1)
	if n == nil && column >= 0 {
		r.problem = &Error{At: start, way: propertyBeforeKey}
	}
	return r.anchored(n, start, name)
}

// flowProperties reads a node with an anchor or a tag in brackets.
func (r *reader) flowProperties() *node.Node {
	r.unsure = true
	start := r.at
	name, ok := r.properties(true)
	if !ok || !r.skipFlowSpace() {
		return nil
	}
	if r.endsFlowNode() || r.atIndicator(':') {
		return r.anchored(r.null(trimmed(r.text, start, r.at)), start, name)
	}
	return r.anchored(r.content(true), start, name)
}

// anchored returns a node, if it is not nil, with the properties that begin at the offset.
func (r *reader) anchored(n *node.Node, start int, name string) *node.Node {
	if n == nil {
		return nil
	}
	if n.IsAnchored || n.Kind == node.AliasNode {
		r.at = start
		return r.giveUp("several anchors for one value")
	}
	n.Start = int32(start)
	if name != "" {
		n.IsAnchored = true
		r.anchors[name] = n
	}
	return n
}

// properties passes over an anchor and a tag, and the blanks behind them. It returns the name of the anchor, if there
// is one.
func (r *reader) properties(flow bool) (name string, ok bool) {
	for {
		switch r.peek(r.at) {
		case '&':
			end := lex.NameEnd(r.text, r.at+1)
			switch {
			case end == r.at+1:
				r.fail(r.at, cannotBegin, '&')
				return "", false
			case name != "" || lex.WordEnd(r.text, end, flow) > end:
				r.giveUp("several anchors for one value, or an anchor with an unusual name")
				return "", false
			}
			name = r.text[r.at+1 : end]
			r.at = end
			if r.anchors == nil {
				r.anchors = map[string]*node.Node{}
			}
			r.anchors[name] = nil
		case '!':
			r.unsure = true
			r.at = lex.WordEnd(r.text, r.at, flow)
		default:
			return name, true
		}
		r.skipBlanks()
	}
}

// alias reads the alias at the cursor.
func (r *reader) alias() *node.Node {
	start, end := r.at, lex.NameEnd(r.text, r.at+1)
	name := r.text[start+1 : end]
	if name == "" || lex.WordEnd(r.text, end, true) > end {
		return r.fail(start, cannotBegin, '*')
	}
	target, ok := r.anchors[name]
	if !ok {
		r.fail(start, unknownAnchor, name)
		r.problem.IsYAML = true
		return nil
	}
	r.at = end
	r.unsure = r.unsure || target == nil // the alias is inside of the node
	n := r.wrapped(node.AliasNode, start, end, target)
	n.Value = name
	return n
}
