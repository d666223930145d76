package read

import (
	"pillion.dev/pillion/internal/yaml/lex"
	"pillion.dev/pillion/internal/yaml/node"
)

// blockNode reads the node at the cursor, which is at the column, deeper than its parent, and may begin with a key or a dash.
// It ends at the next token.
func (r *reader) blockNode(parent, column int) *node.Node {
	if !r.deeper() {
		return r.giveUp()
	}
	n := r.blockContent(parent, column)
	r.depth--
	return n
}

func (r *reader) blockContent(parent, column int) *node.Node {
	if key := r.usualKey(); key != nil {
		return r.mappingFrom(key, column)
	}
	switch {
	case r.atIndicator('-'):
		return r.blockSequence(column, false)
	case r.atIndicator('?'):
		r.column = column
		return r.blockMapping(r.at, column, len(r.pending))
	}
	return r.value(parent, column)
}

// value reads a value, and goes to the next token. It may be the first key of a mapping at the column, or not if that is -1: behind a
// colon, neither a key nor a dash may follow.
func (r *reader) value(parent, column int) *node.Node {
	start := r.at
	switch r.text[start] {
	case '|', '>':
		return r.blockScalar(parent)
	case '&', '!':
		return r.withProperties(parent, column)
	}
	return r.endNode(r.content(parent), start, parent, column)
}

// content reads a collection in brackets or a scalar.
func (r *reader) content(parent int) *node.Node {
	if c := r.text[r.at]; c == '[' || c == '{' {
		return r.flowValue(parent)
	}
	return r.scalar()
}

// endNode goes to the token behind a node that begins at an offset, with its anchor, if it is not nil. The node may be the first key of a
// mapping at the column.
func (r *reader) endNode(n *node.Node, start, parent, column int) *node.Node {
	switch {
	case n == nil:
		return nil
	case column >= 0 && r.passColon(start):
		r.unsure = r.unsure || n.Style&node.FlowStyle != 0
		return r.mappingFrom(n, column)
	case n.Kind == node.ScalarNode && n.Style == 0:
		return r.endPlain(n, parent)
	case !r.endLine():
		return r.behindValueProblem(n)
	}
	return n
}

// nodeBelow reads the node on the lines below the cursor. It is null at an offset if no deeper node is there. A list below a key
// may have the same column as the key.
func (r *reader) nodeBelow(column int, belowKey bool, empty int) *node.Node {
	if !r.nextToken() {
		return nil
	}
	switch {
	case r.column > column:
		return r.blockNode(column, r.column)
	case belowKey && r.column == column && r.atIndicator('-'):
		return r.blockSequence(column, true)
	}
	return r.null(empty)
}

// mappingFrom reads a mapping. Its first key has been read, and the cursor is behind the colon.
func (r *reader) mappingFrom(key *node.Node, column int) *node.Node {
	mark := len(r.pending)
	if !r.valueOf(key, column) {
		return nil
	}
	return r.blockMapping(int(key.Start), column, mark)
}

// blockMapping reads the rest of a mapping that begins at an offset. The pairs since the mark have been read.
func (r *reader) blockMapping(start, column, mark int) *node.Node {
	for r.column == column {
		if !r.pair(column) {
			return nil
		}
	}
	if r.column > column {
		return r.indentProblem(column)
	}
	r.leave(column)
	return r.collection(node.MappingNode, 0, start, r.lastEnd(), mark)
}

// lastEnd returns where the last child ends that was read.
func (r *reader) lastEnd() int { return int(r.pending[len(r.pending)-1].End) }

// pair reads a key and its value.
func (r *reader) pair(column int) bool {
	if r.atIndicator('?') {
		return r.explicitPair(column)
	}
	key := r.key()
	return key != nil && r.valueOf(key, column)
}

// valueOf reads the value of a key that has been read.
func (r *reader) valueOf(key *node.Node, column int) bool {
	r.add(key)
	if value := r.usualValue(column); value != nil {
		r.add(value)
		return true
	}
	empty := r.at
	r.skipBlanks()
	var value *node.Node
	if r.atLineEnd() {
		value = r.nodeBelow(column, true, empty)
	} else {
		value = r.value(column, -1)
	}
	r.add(value)
	return value != nil
}

// usualValue reads a value that is a word on the line of its key, as most are, if the next token is on the next line. Otherwise it
// returns nil, and leaves the cursor.
func (r *reader) usualValue(column int) *node.Node {
	text, colonEnd := r.text, r.at
	start := colonEnd + 1
	if start >= len(text) || text[colonEnd] != ' ' || !beginsPlain[text[start]] {
		return nil
	}
	end := wordEnd(text, start)
	for end+1 < len(text) && text[end] == ':' && text[end+1] > ' ' {
		end = wordEnd(text, end+1)
	}
	if end == len(text) || text[end] != '\n' || text[end-1] == ' ' {
		return nil
	}
	if r.at = end; !r.endsUsually(column) {
		r.at = colonEnd
		return nil
	}
	return r.leaf(start, end)
}

// explicitPair reads a key with a question mark, and its value if there is one.
func (r *reader) explicitPair(column int) bool {
	r.unsure = true
	r.at++
	key := r.behindIndicator(column, true)
	if key == nil {
		return false
	}
	r.add(key)
	value := r.null(int(key.End))
	if r.column == column && r.atIndicator(':') {
		r.at++
		value = r.behindIndicator(column, true)
	}
	r.add(value)
	return value != nil
}

// key reads a key and goes behind its colon.
func (r *reader) key() *node.Node {
	if key := r.usualKey(); key != nil {
		return key
	}
	start := r.at
	key := r.keyContent()
	if key != nil && !r.passColon(start) {
		return r.noKeyProblem(start)
	}
	return key
}

// usualKey reads a key that is a word, with its colon right behind it, as most are, and goes behind the colon. Otherwise it returns nil,
// and leaves the cursor.
func (r *reader) usualKey() *node.Node {
	text, start := r.text, r.at
	if !beginsPlain[text[start]] {
		return nil
	}
	colon := wordEnd(text, start)
	if colon+1 >= len(text) || text[colon] != ':' || text[colon+1] != ' ' && text[colon+1] != '\n' {
		return nil
	}
	if text[colon-1] == ' ' || colon-start > mostKeyBytes {
		return nil
	}
	r.at = colon + 1
	return r.leaf(start, colon)
}

// keyContent reads what is before the colon of a key.
func (r *reader) keyContent() *node.Node {
	start := r.at
	switch r.text[start] {
	case '&', '!':
		name, ok := r.properties(false)
		if !ok {
			return nil
		}
		if r.atLineEnd() {
			return r.giveUp()
		}
		return r.anchored(r.scalar(), start, name)
	case '[', '{':
		r.unsure = true
	case '-':
		if r.atIndicator('-') {
			return r.fail(start, entryAmongKeys)
		}
	}
	return r.content(0)
}

// blockSequence reads the list with its first dash at the cursor and at the column. If belowKey is set, that is the column of the
// key above it too, so another key may follow.
func (r *reader) blockSequence(column int, belowKey bool) *node.Node {
	start, mark := r.at, len(r.pending)
	for {
		r.at++
		entry := r.behindIndicator(column, false)
		if entry == nil {
			return nil
		}
		r.add(entry)
		if r.column != column || !r.atIndicator('-') {
			break
		}
	}
	if r.column > column {
		return r.indentProblem(column)
	}
	if r.column == column && !belowKey {
		return r.keyAmongEntries()
	}
	r.leave(column)
	return r.collection(node.SequenceNode, 0, start, r.lastEnd(), mark)
}

// behindIndicator reads the node behind a dash, or, in a mapping, behind the question mark or the colon of a key with a question mark.
func (r *reader) behindIndicator(column int, inMapping bool) *node.Node {
	empty := r.at
	r.skipBlanks()
	if r.atLineEnd() {
		return r.nodeBelow(column, inMapping, empty)
	}
	return r.blockNode(column, r.at-r.lineStart)
}

// passColon goes behind the colon that makes a key of the node before the cursor, and reports whether there is one.
func (r *reader) passColon(keyStart int) bool {
	r.skipBlanks()
	if r.peek(r.at) != ':' || !lex.IsSpaceAt(r.text, r.at+1) || keyStart < r.lineStart {
		return false
	}
	r.unsure = r.unsure || r.at-keyStart > mostKeyBytes
	r.at++
	return true
}
