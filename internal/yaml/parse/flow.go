package parse

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/lex"
)

// flowCollection reads the collection with its opening bracket at the cursor, and ends behind its closing one.
func (r *reader) flowCollection() *yaml.Node {
	r.depth++
	if r.depth > maxDepth {
		return nil
	}
	kind, tag, closing := yaml.SequenceNode, "!!seq", byte(']')
	if r.text[r.at] == '{' {
		kind, tag, closing = yaml.MappingNode, "!!map", '}'
	}
	collection := r.node(kind, tag, r.at)
	collection.Style = yaml.FlowStyle
	mark := r.open()
	r.at++
	if !r.flowEntries(kind, closing) {
		return nil
	}
	collection.Content = r.close(mark)
	r.depth--
	return collection
}

// flowEntries reads the entries in brackets, and ends behind the closing one.
func (r *reader) flowEntries(kind yaml.Kind, closing byte) bool {
	for {
		if !r.skipFlowSpace() {
			return false
		}
		if r.peek(r.at) == closing {
			break
		}
		if kind == yaml.MappingNode && !r.flowKey() {
			return false
		}
		value := r.flowNode()
		if value == nil {
			return false
		}
		r.add(value)
		if !r.skipFlowSpace() {
			return false
		}
		if r.peek(r.at) == closing {
			break
		}
		if r.peek(r.at) != ',' {
			return false
		}
		r.at++
	}
	r.at++
	return true
}

// flowKey reads a key and its colon, and goes to the value.
func (r *reader) flowKey() bool {
	start := r.at
	key := r.flowScalar()
	if key == nil {
		return false
	}
	r.add(key)
	r.skipSpaces()
	if r.peek(r.at) != ':' || !r.mayBeKey(start) {
		return false
	}
	r.at++
	return r.skipFlowSpace()
}

func (r *reader) flowNode() *yaml.Node {
	switch r.peek(r.at) {
	case '[', '{':
		return r.flowCollection()
	}
	return r.flowScalar()
}

func (r *reader) flowScalar() *yaml.Node {
	switch r.peek(r.at) {
	case 0:
		return nil
	case '"', '\'':
		return r.quoted()
	case '-':
		// The library reads a dash before a bracket or a comma as a scalar, which is rare.
		if next := r.peek(r.at + 1); lex.IsFlowIndicator(next) || strings.IndexByte("?:#", next) >= 0 {
			return nil
		}
	}
	return r.plain(true)
}

// skipFlowSpace goes to the next token in brackets, over blanks, line breaks and comments.
// It returns false where a document marker may be, which ends brackets too.
func (r *reader) skipFlowSpace() bool {
	for {
		switch r.peek(r.at) {
		case ' ':
			r.skipSpaces()
		case '\t':
			if r.at-r.lineStart < r.tabsFrom {
				return false
			}
			r.at++
		case '\n', '\r':
			r.newLine(r.at)
		case '#':
			if !r.skipComment() {
				return false
			}
		case '-', '.', '%':
			return r.at != r.lineStart
		default:
			return true
		}
	}
}
