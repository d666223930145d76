package read

import (
	"pillion.dev/pillion/internal/yaml/lex"
	"pillion.dev/pillion/internal/yaml/node"
)

// flowValue reads the collection with its opening bracket at the cursor, and ends behind its closing one. Parent is the column of the
// block collection around it.
func (r *reader) flowValue(parent int) *node.Node {
	r.tabsFrom = parent + 1
	return r.flowCollection()
}

func (r *reader) flowCollection() *node.Node {
	if !r.deeper() {
		return r.giveUp()
	}
	start, mark := r.at, len(r.pending)
	kind := node.SequenceNode
	if r.text[start] == '{' {
		kind = node.MappingNode
	}
	r.at++
	if !r.flowEntries(start, kind == node.MappingNode) {
		return nil
	}
	r.depth--
	return r.collection(kind, node.FlowStyle, start, r.at, mark)
}

// flowEntries reads the entries of the brackets that begin at an offset, and ends behind the closing one.
func (r *reader) flowEntries(start int, isMapping bool) bool {
	closing := closing(r.text[start])
	for r.skipFlowSpace(start) {
		if r.peek(r.at) == closing {
			r.at++
			return true
		}
		read := isMapping && r.flowPair(start) || !isMapping && r.flowEntry(start)
		if !read || !r.skipFlowSpace(start) {
			return false
		}
		switch r.peek(r.at) {
		case ',':
			r.at++
		case closing:
		default:
			r.commaProblem(start)
			return false
		}
	}
	return false
}

// flowPair reads a key and its value in braces. The library also takes a key without a colon or a value.
func (r *reader) flowPair(start int) bool {
	begin := r.at
	key := r.flowNode(start)
	if key == nil {
		return false
	}
	if r.at = skipSpaces(r.text, r.at); r.peek(r.at) != ':' {
		r.unsure = true
		if !r.skipFlowSpace(start) {
			return false
		}
	}
	r.unsure = r.unsure || begin < r.lineStart || r.at-begin > mostKeyBytes
	r.add(key)
	value := r.flowPairValue(start, int(key.End))
	r.add(value)
	return value != nil
}

// flowPairValue reads what is behind a key that ends at an offset: a colon and a value, a colon, or nothing.
func (r *reader) flowPairValue(start, keyEnd int) *node.Node {
	if r.peek(r.at) != ':' {
		return r.null(keyEnd)
	}
	r.at++
	empty, line := r.at, r.lineStart
	if !r.skipFlowSpace(start) {
		return nil
	}
	if r.endsFlowNode() {
		r.unsure = true
		if r.lineStart == line { // where a value would be
			empty = r.at
		}
		return r.null(empty)
	}
	return r.flowNode(start)
}

// flowEntry reads an entry of a list in brackets. It may be a pair without braces.
func (r *reader) flowEntry(start int) bool {
	begin, mark := r.at, len(r.pending)
	entry := r.flowNode(start)
	r.add(entry)
	if entry == nil || !r.skipFlowSpace(start) {
		return false
	}
	if r.peek(r.at) != ':' {
		return true
	}
	r.unsure = true
	value := r.flowPairValue(start, int(entry.End))
	r.add(value)
	if value == nil {
		return false
	}
	r.add(r.collection(node.MappingNode, node.FlowStyle, begin, int(value.End), mark))
	return true
}

// endsFlowNode reports whether a comma or a closing bracket is at the cursor.
func (r *reader) endsFlowNode() bool {
	c := r.peek(r.at)
	return c == ',' || c == ']' || c == '}'
}

// flowNode reads a value in the brackets that begin at an offset.
func (r *reader) flowNode(start int) *node.Node {
	switch c := r.peek(r.at); c {
	case '[', '{':
		return r.flowCollection()
	case '"', '\'':
		return r.quoted()
	case '&', '!':
		return r.flowProperties(start)
	case '*':
		return r.alias(true)
	case 0:
		return r.bracketProblem(start)
	}
	return r.flowPlain(start)
}

// flowProperties reads a node with an anchor or a tag in brackets.
func (r *reader) flowProperties(start int) *node.Node {
	r.unsure = true
	begin := r.at
	name, ok := r.properties(true)
	if !ok || !r.skipFlowSpace(start) {
		return nil
	}
	if r.endsFlowNode() || r.atIndicator(':') {
		return r.anchored(r.null(trimmed(r.text, begin, r.at)), begin, name)
	}
	return r.anchored(r.flowNode(start), begin, name)
}

// flowPlain reads a plain scalar in brackets. One that goes on below is read by the library.
func (r *reader) flowPlain(start int) *node.Node {
	begin := r.at
	if c := r.text[begin]; !beginsPlain[c] {
		if c != '-' || lex.IsSpaceAt(r.text, begin+1) {
			return r.flowBeginProblem(begin, start)
		}
		next := r.text[begin+1]
		r.unsure = r.unsure || next != '-' && !beginsPlain[next]
	}
	r.at = r.plainEnd(r.at, true)
	for r.flowContinues(start) {
		r.at = r.plainEnd(r.at, true)
	}
	return r.leaf(begin, r.at)
}

// flowContinues goes to the next line of a plain scalar in brackets. It returns false, and leaves the cursor, if the scalar ends on
// this line.
func (r *reader) flowContinues(start int) bool {
	behind, line, unsure := r.at, r.lineStart, r.unsure
	r.skipBlanks()
	if r.atBreak() && r.skipFlowSpace(start) {
		if c := r.peek(r.at); r.lineStart > line && c != 0 && c != ':' && c != '?' && !lex.IsFlowIndicator(c) {
			r.unsure = true
			return true
		}
	}
	r.at, r.lineStart, r.unsure = behind, line, unsure
	return false
}

// skipFlowSpace goes to the next token in the brackets that begin at an offset, over blanks, line breaks and comments.
func (r *reader) skipFlowSpace(start int) bool {
	for {
		switch r.peek(r.at) {
		case ' ':
			r.at = skipSpaces(r.text, r.at)
		case '\t':
			r.unsure = r.unsure || r.at-r.lineStart < r.tabsFrom
			r.at++
		case '\n', '\r':
			r.newLine()
		case '#':
			r.skipComment()
		case '-', '.', '%':
			r.unsure = r.unsure || r.at == r.lineStart
			if r.atMarker() {
				r.bracketProblem(start)
				return false
			}
			return true
		default:
			return true
		}
	}
}
