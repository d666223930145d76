package read

import (
	"pillion.dev/pillion/internal/text/yaml/lex"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// flowCollection reads the collection with its opening bracket at the cursor, and ends behind its closing one.
func (r *reader) flowCollection() *node.Node {
	r.depth++
	if r.depth > maxDepth {
		return r.giveUp(tooDeep)
	}
	start, mark, outer := r.at, len(r.pending), r.bracket
	kind := node.SequenceNode
	if r.text[start] == '{' {
		kind = node.MappingNode
	}
	r.bracket = start
	r.at++
	if !r.flowEntries(kind == node.MappingNode) {
		return nil
	}
	r.at++
	r.bracket = outer
	r.depth--
	return r.collection(kind, node.FlowStyle, start, r.at, mark)
}

// flowEntries reads the entries in brackets, and ends at the closing one.
func (r *reader) flowEntries(isMapping bool) bool {
	closing := closing(r.text[r.bracket])
	for r.skipFlowSpace() {
		if r.text[r.at] == closing {
			return true
		}
		begin := r.at
		entry := r.content(true)
		if entry == nil || !r.skipFlowSpace() {
			return false
		}
		r.add(entry)
		if isMapping && !r.flowPairValue(begin) {
			return false
		}
		switch r.text[r.at] {
		case ',':
			r.at++
		case closing:
		default:
			r.commaProblem()
			return false
		}
	}
	return false
}

// flowPairValue reads what is behind a key that begins at an offset: a colon and a value, and what the library takes
// too, a colon without a value, or nothing.
func (r *reader) flowPairValue(keyStart int) bool {
	r.unsure = r.unsure || keyStart < r.lineStart || r.at-keyStart > mostKeyBytes
	isPair := r.text[r.at] == ':'
	if isPair {
		r.at++
		if !r.skipFlowSpace() {
			return false
		}
	}
	if !isPair || r.endsFlowNode() {
		r.unsure = true
		r.add(r.null(r.at))
		return true
	}
	value := r.content(true)
	r.add(value)
	return value != nil && r.skipFlowSpace()
}

// endsFlowNode reports whether a comma or a closing bracket is at the cursor.
func (r *reader) endsFlowNode() bool {
	c := r.text[r.at]
	return c == ',' || c == ']' || c == '}'
}

// skipFlowSpace goes to the next token in brackets, over blanks, line breaks and comments. It returns false if there is
// none.
func (r *reader) skipFlowSpace() bool {
	for {
		r.at = lex.SkipSpaces(r.text, r.at)
		switch c := r.peek(r.at); {
		case c == '\t':
			r.unsure = r.unsure || r.at-r.lineStart <= r.parent // the library refuses it behind a plain scalar
			r.at++
		case c == '\n' || c == '\r':
			r.newLine()
		case c == '#':
			r.skipComment()
		case r.at == len(r.text) || r.atMarker():
			r.bracketProblem()
			return false
		default:
			r.unsure = r.unsure || r.at == r.lineStart && (c == '-' || c == '.' || c == '%')
			return true
		}
	}
}
