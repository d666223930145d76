package read

import (
	"pillion.dev/pillion/internal/yaml/lex"
	"pillion.dev/pillion/internal/yaml/node"
)

// withProperties reads a node with an anchor or a tag, and goes to the next token. The column is that of the node, which may be a key
// then, or -1 behind a colon. Properties on the line of a key belong to the key.
func (r *reader) withProperties(parent, column int) *node.Node {
	start := r.at
	name, ok := r.properties(false)
	if !ok {
		return nil
	}
	if r.atLineEnd() {
		empty := trimmed(r.text, start, r.at)
		return r.anchored(r.nodeBelow(parent, column < 0, empty), start, name)
	}
	switch c := r.text[r.at]; {
	case c == '&', c == '!', c == '*', r.atIndicator('-'), r.atIndicator('?'):
		return r.giveUp()
	case c == '|', c == '>', c == '[', c == '{':
		return r.anchored(r.value(parent, -1), start, name)
	}
	return r.endNode(r.anchored(r.scalar(), start, name), start, parent, column)
}

// properties passes over an anchor and a tag, and the blanks behind them. It returns the name of the anchor, if there is one.
func (r *reader) properties(flow bool) (name string, ok bool) {
	for {
		switch r.peek(r.at) {
		case '&':
			end := lex.NameEnd(r.text, r.at+1)
			switch {
			case end == r.at+1:
				r.fail(r.at, noName, '&', "an anchor")
				return "", false
			case name != "" || lex.WordEnd(r.text, end, flow) > end:
				r.giveUp()
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

// anchored returns a node, if it is not nil, with the properties that begin at the offset.
func (r *reader) anchored(n *node.Node, start int, name string) *node.Node {
	if n == nil {
		return nil
	}
	if n.IsAnchored || n.Kind == node.AliasNode {
		return r.giveUp()
	}
	n.Start = int32(start)
	if name != "" {
		n.IsAnchored = true
		r.anchors[name] = n
	}
	return n
}

// alias reads the alias at the cursor.
func (r *reader) alias(flow bool) *node.Node {
	start, end := r.at, lex.NameEnd(r.text, r.at+1)
	name := r.text[start+1 : end]
	if name == "" || lex.WordEnd(r.text, end, flow) > end {
		return r.fail(start, noName, '*', "an alias")
	}
	target, ok := r.anchors[name]
	if !ok {
		r.fail(start, unknownAnchor, name)
		r.problem.IsYAML = true
		return nil
	}
	mark := len(r.pending)
	if target == nil { // the alias is inside of the node
		r.unsure = true
	} else {
		r.add(target)
	}
	r.at = end
	n := r.collection(node.AliasNode, 0, start, end, mark)
	n.Value = name
	return n
}
