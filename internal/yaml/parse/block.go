package parse

import (
	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/lex"
	"pillion.dev/pillion/internal/yaml/node"
)

// blockNode reads the node at the cursor, which is at the column, deeper than its parent, and may begin with a key or a dash.
// It ends at the next token.
func (r *reader) blockNode(parent, column int) *yaml.Node {
	if old := r.unchanged(column); old != nil {
		return old
	}
	r.depth++
	if r.depth > maxDepth {
		return nil
	}
	n := r.blockContent(parent, column)
	r.depth--
	return n
}

func (r *reader) blockContent(parent, column int) *yaml.Node {
	if r.atDash() {
		return r.blockSequence(column, false)
	}
	switch r.text[r.at] {
	case '[', '{', '|', '>':
		return r.inlineValue(parent)
	}
	start := r.at
	scalar := r.scalar()
	if scalar == nil {
		return nil
	}
	if r.passColon(start) {
		return r.blockMapping(scalar, column)
	}
	return r.endScalar(scalar, parent)
}

// endScalar goes to the token behind a scalar.
func (r *reader) endScalar(scalar *yaml.Node, parent int) *yaml.Node {
	if scalar.Style == 0 {
		return r.endPlain(scalar, parent)
	}
	if !r.endLine() {
		return nil
	}
	return scalar
}

// inlineValue reads a value behind a colon, which may not begin with a key or a dash, and goes to the next token.
func (r *reader) inlineValue(parent int) *yaml.Node {
	switch r.text[r.at] {
	case '[', '{':
		r.tabsFrom = parent + 1
		if value := r.flowCollection(); value != nil && r.endLine() {
			return value
		}
	case '|', '>':
		return r.blockScalar(parent)
	default:
		if value := r.scalar(); value != nil {
			return r.endScalar(value, parent)
		}
	}
	return nil
}

// blockMapping reads a mapping. Its first key has been read, and the cursor is behind the colon.
func (r *reader) blockMapping(key *yaml.Node, column int) *yaml.Node {
	mapping := r.node(yaml.MappingNode, "!!map", r.at)
	node.SetPosition(mapping, node.PositionOf(key))
	mark := r.open()
	in := r.enter(yaml.MappingNode, column)
	for {
		r.add(key)
		value := r.blockMappingValue(column)
		if value == nil {
			return nil
		}
		r.add(value)
		r.takeOver(&in)
		if r.column < column {
			break
		}
		if r.column > column {
			return nil
		}
		start := r.at
		if key = r.scalar(); key == nil || !r.passColon(start) {
			return nil
		}
	}
	mapping.Content = r.close(mark)
	return mapping
}

// blockMappingValue reads the value behind a colon. A list below a key may have the same column as the key.
func (r *reader) blockMappingValue(column int) *yaml.Node {
	colonEnd := r.at
	r.skipSpaces()
	if !r.atLineEnd() {
		return r.inlineValue(column)
	}
	null := node.Position{Line: r.line, Column: r.columnOf(colonEnd)}
	if !r.nextToken() {
		return nil
	}
	switch {
	case r.column > column:
		return r.blockNode(column, r.column)
	case r.column == column && r.atDash():
		return r.blockSequence(column, true)
	}
	return r.null(null)
}

// blockSequence reads the list with its first dash at the cursor and at the column.
// If belowKey is set, that is the column of the key above it too, so another key may follow.
func (r *reader) blockSequence(column int, belowKey bool) *yaml.Node {
	sequence := r.node(yaml.SequenceNode, "!!seq", r.at)
	mark := r.open()
	in := r.enter(yaml.SequenceNode, column)
	for {
		entry := r.blockEntry(column)
		if entry == nil {
			return nil
		}
		r.add(entry)
		r.takeOver(&in)
		if r.column > column {
			return nil
		}
		if r.column < column {
			break
		}
		if !r.atDash() {
			if belowKey {
				break
			}
			return nil
		}
	}
	sequence.Content = r.close(mark)
	return sequence
}

// blockEntry reads the entry of a list with its dash at the cursor.
func (r *reader) blockEntry(column int) *yaml.Node {
	r.at++
	dashEnd := r.at
	r.skipSpaces()
	if !r.atLineEnd() {
		return r.blockNode(column, r.at-r.lineStart)
	}
	null := node.Position{Line: r.line, Column: r.columnOf(dashEnd)}
	if !r.nextToken() {
		return nil
	}
	if r.column > column {
		return r.blockNode(column, r.column)
	}
	return r.null(null)
}

// atDash reports whether an entry of a list begins at the cursor.
func (r *reader) atDash() bool {
	return r.peek(r.at) == '-' && lex.IsSpaceAt(r.text, r.at+1)
}

// passColon goes behind the colon that makes a key of the scalar before the cursor, and reports whether there is one.
func (r *reader) passColon(keyStart int) bool {
	r.skipSpaces()
	if r.peek(r.at) != ':' || !lex.IsSpaceAt(r.text, r.at+1) || !r.mayBeKey(keyStart) {
		return false
	}
	r.at++
	return true
}

// mostKeyBytes is the longest key that is read. The library takes keys of up to 1024 characters.
const mostKeyBytes = 1000

// mayBeKey reports whether the text from the offset to the cursor is on one line and short enough for a key.
func (r *reader) mayBeKey(start int) bool {
	return start >= r.lineStart && r.at-start <= mostKeyBytes
}

// null returns the node of a value or an entry that is written as nothing at all.
func (r *reader) null(at node.Position) *yaml.Node {
	n := r.node(yaml.ScalarNode, "!!null", r.at)
	node.SetPosition(n, at)
	return n
}
