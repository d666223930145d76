package parse

import (
	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/lex"
	"pillion.dev/pillion/internal/yaml/node"
)

// blockNode reads the node at the cursor, which stands at the column, deeper than its parent
// and where a key or a dash may begin. It ends at the next token.
func (r *reader) blockNode(parent, column int) *yaml.Node {
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

// inlineValue reads a value that stands behind a colon, where no key and no dash may begin,
// and goes to the next token.
func (r *reader) inlineValue(parent int) *yaml.Node {
	switch r.text[r.at] {
	case '[', '{':
		r.tabIndents = parent < 0
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

// blockMapping reads the mapping whose first key was read, up to behind its colon.
func (r *reader) blockMapping(key *yaml.Node, column int) *yaml.Node {
	mapping := r.node(yaml.MappingNode, "!!map", r.at)
	node.SetPosition(mapping, node.PositionOf(key))
	mark := r.open()
	for {
		r.add(key)
		value := r.blockMappingValue(column)
		if value == nil {
			return nil
		}
		r.add(value)
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

// blockMappingValue reads the value behind a colon. A list below a key may stand at the
// column of the key itself.
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

// blockSequence reads the list whose first dash is at the cursor and stands at the column.
// Where that is also the column of the key above it, a key may follow it there.
func (r *reader) blockSequence(column int, belowKey bool) *yaml.Node {
	sequence := r.node(yaml.SequenceNode, "!!seq", r.at)
	mark := r.open()
	for {
		entry := r.blockEntry(column)
		if entry == nil {
			return nil
		}
		r.add(entry)
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

// blockEntry reads the entry of a list whose dash is at the cursor.
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

// atDash tells whether an entry of a list begins at the cursor.
func (r *reader) atDash() bool {
	return r.peek(r.at) == '-' && lex.IsSpaceAt(r.text, r.at+1)
}

// passColon goes behind the colon that makes a key of the scalar before the cursor. It says
// no where there is none.
func (r *reader) passColon(keyStart int) bool {
	r.skipSpaces()
	if r.peek(r.at) != ':' || !lex.IsSpaceAt(r.text, r.at+1) || !r.mayBeKey(keyStart) {
		return false
	}
	r.at++
	return true
}

// mostKeyBytes is how long a key may be. The library does not take longer ones for keys, at
// 1024 characters.
const mostKeyBytes = 1000

// mayBeKey tells whether what begins at the offset and ends before the cursor stands on one
// line and is short enough.
func (r *reader) mayBeKey(start int) bool {
	return start >= r.lineStart && r.at-start <= mostKeyBytes
}

// null returns the node of a value or an entry that is written as nothing at all.
func (r *reader) null(at node.Position) *yaml.Node {
	n := r.node(yaml.ScalarNode, "!!null", r.at)
	node.SetPosition(n, at)
	return n
}
