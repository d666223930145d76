package read

import (
	"pillion.dev/pillion/internal/text/yaml/lex"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// blockNode reads the node at the cursor, which is at the column, deeper than its parent, and may begin with a key or a
// dash. It ends at the next token.
func (r *reader) blockNode(parent, column int) *node.Node {
	r.depth++
	if r.depth > maxDepth {
		return r.giveUp(tooDeep)
	}
	n := r.blockContent(parent, column)
	r.depth--
	return n
}

func (r *reader) blockContent(parent, column int) *node.Node {
	if key := r.usualKey(); key != nil {
		return r.blockMapping(key, column)
	}
	switch {
	case r.atIndicator('-'):
		return r.blockSequence(column, false)
	case r.atIndicator('?'):
		return r.blockMapping(nil, column)
	}
	return r.value(parent, column)
}

// value reads a value, and goes to the next token. It may be the first key of a mapping at the column, or not if that
// is -1: behind a colon, neither a key nor a dash may follow.
func (r *reader) value(parent, column int) *node.Node {
	start := r.at
	switch r.text[start] {
	case '|', '>':
		return r.blockScalar(parent)
	case '&', '!':
		return r.withProperties(parent, column)
	}
	r.parent = parent
	n := r.content(false)
	switch {
	case n == nil:
		return nil
	case column >= 0 && r.passColon(start):
		return r.blockMapping(n, column)
	case n.Kind == node.ScalarNode && n.Style == 0:
		return r.endPlain(n, parent)
	case !r.endLine():
		return r.behindValueProblem(n)
	}
	return n
}

// content reads a collection in brackets or a scalar. Flow is set inside of brackets.
func (r *reader) content(flow bool) *node.Node {
	switch c := r.text[r.at]; {
	case c == '[' || c == '{':
		return r.flowCollection()
	case flow && (c == '&' || c == '!'):
		return r.flowProperties()
	}
	return r.scalar(flow)
}

// nodeBelow reads the node on the lines below the cursor. It is null at an offset if no deeper node is there. A list
// below a key may have the same column as the key.
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

// blockMapping reads the mapping at the column. Its first key has been read, with its colon, or is nil and has a
// question mark.
func (r *reader) blockMapping(key *node.Node, column int) *node.Node {
	start, mark := r.at, len(r.pending)
	if key != nil {
		start = int(key.Start)
	}
	for r.column = column; r.column == column; key = nil {
		if key == nil && !r.atIndicator('?') {
			if key = r.key(); key == nil {
				return nil
			}
		}
		if key == nil && !r.explicitPair(column) || key != nil && !r.valueOf(key, column) {
			return nil
		}
	}
	if r.column > column {
		return r.indentProblem(r.at)
	}
	return r.collection(node.MappingNode, 0, start, r.lastEnd(), mark)
}

// lastEnd returns where the last child ends that was read.
func (r *reader) lastEnd() int { return int(r.pending[len(r.pending)-1].End) }

// valueOf reads the value of a key that has been read.
func (r *reader) valueOf(key *node.Node, column int) bool {
	r.unsure = r.unsure || key.End-key.Start > mostKeyBytes
	r.add(key)
	if value := r.usualValue(column); value != nil {
		r.add(value)
		return true
	}
	value := r.behindIndicator(column, true, false)
	r.add(value)
	return value != nil
}

// usualValue reads a value that is a word on the line of its key, as most are, if the next token is on the next line.
// Otherwise it returns nil, and leaves the cursor.
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
	key := r.behindIndicator(column, true, true)
	if key == nil {
		return false
	}
	r.add(key)
	value := r.null(int(key.End))
	if r.column == column && r.atIndicator(':') {
		r.at++
		value = r.behindIndicator(column, true, true)
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
	if r.atIndicator('-') {
		return r.indentProblem(start)
	}
	key := r.content(false)
	if key == nil || r.passColon(start) {
		return key
	}
	switch c := r.text[start]; {
	case c == '[' || c == '{':
		return r.indentProblem(start)
	case start < r.lineStart: // quotes over several lines
		return r.quoteProblem(start)
	}
	return r.lineProblem(start)
}

// usualKey reads a key that is a word, with its colon right behind it, as most are, and goes behind the colon.
// Otherwise it returns nil, and leaves the cursor.
func (r *reader) usualKey() *node.Node {
	text, start := r.text, r.at
	if !beginsPlain[text[start]] {
		return nil
	}
	colon := wordEnd(text, start)
	if colon+1 >= len(text) || text[colon] != ':' || text[colon+1] != ' ' && text[colon+1] != '\n' || text[colon-1] == ' ' {
		return nil
	}
	r.at = colon + 1
	return r.leaf(start, colon)
}

// blockSequence reads the list with its first dash at the cursor and at the column. If belowKey is set, that is the
// column of the key above it too, so another key may follow.
func (r *reader) blockSequence(column int, belowKey bool) *node.Node {
	start, mark := r.at, len(r.pending)
	for {
		r.at++
		entry := r.behindIndicator(column, false, true)
		if entry == nil {
			return nil
		}
		r.add(entry)
		if r.column != column || !r.atIndicator('-') {
			break
		}
	}
	switch isAmongEntries := r.column == column && !belowKey; {
	case isAmongEntries && r.text[r.at] == '-':
		return r.lineProblem(r.at)
	case isAmongEntries || r.column > column:
		return r.indentProblem(r.at)
	}
	return r.collection(node.SequenceNode, 0, start, r.lastEnd(), mark)
}

// behindIndicator reads the node behind a dash, a question mark, a colon or a document marker. Below a key, it may be a
// list at the same column. A block collection may begin on the line of a dash or a question mark, and on that of the
// colon behind the latter.
func (r *reader) behindIndicator(column int, belowKey, isCompact bool) *node.Node {
	empty := r.at
	r.skipBlanks()
	switch {
	case r.atLineEnd():
		return r.nodeBelow(column, belowKey, empty)
	case isCompact:
		return r.blockNode(column, r.at-r.lineStart)
	}
	return r.value(column, -1)
}

// passColon goes behind the colon that makes a key of the node before the cursor, and reports whether there is one.
func (r *reader) passColon(keyStart int) bool {
	r.skipBlanks()
	if r.peek(r.at) != ':' || !lex.IsSpaceAt(r.text, r.at+1) || keyStart < r.lineStart {
		return false
	}
	c := r.text[keyStart]
	r.unsure = r.unsure || c == '[' || c == '{'
	r.at++
	return true
}
