package read

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"pillion.dev/pillion/internal/yaml/lex"
	"pillion.dev/pillion/internal/yaml/node"
)

// fromJSON reads an object or a list in JSON by the rules of JSON: YAML refuses some of its escapes and characters, and folds others
// into spaces.
func fromJSON(text []byte, arena *Arena) (document *node.Node, ok bool) {
	start := bytes.TrimLeft(text, " \t\r\n")
	if len(start) == 0 || start[0] != '{' && start[0] != '[' {
		return nil, false
	}
	if !utf8.Valid(text) || !json.Valid(text) { // json.Valid reads invalid UTF-8 as U+FFFD
		return nil, false
	}
	r := newReader(text, arena)
	r.at = len(text) - len(start)
	r.add(r.jsonValue())
	return r.collection(node.DocumentNode, 0, node.NoTag, len(text)-len(start), len(text), 0), true
}

// jsonValue reads the value at the cursor, and ends behind it.
func (r *reader) jsonValue() *node.Node {
	start := r.at
	switch r.text[start] {
	case '{':
		return r.jsonCollection(r.mapping, '}')
	case '[':
		return r.jsonCollection(r.sequence, ']')
	case '"':
		return r.jsonString()
	}
	for r.at < len(r.text) && strings.IndexByte(",]} \t\r\n", r.text[r.at]) < 0 {
		r.at++
	}
	return r.leaf(start, r.at)
}

// jsonCollection reads the entries in brackets: the values of a list, or the keys and values of an object.
func (r *reader) jsonCollection(end func(style node.Style, start, end, mark int) *node.Node, closing byte) *node.Node {
	start, mark := r.at, len(r.pending)
	for {
		r.at++ // the bracket, the comma or the colon
		r.jsonSpace()
		if r.text[r.at] == closing {
			break
		}
		r.add(r.jsonValue())
		r.jsonSpace()
		if r.text[r.at] == closing {
			break
		}
	}
	r.at++
	return end(node.FlowStyle, start, r.at, mark)
}

// jsonString reads the string at the cursor.
func (r *reader) jsonString() *node.Node {
	start := r.at
	r.built = r.built[:0]
	for r.at++; r.text[r.at] != '"'; {
		if r.text[r.at] == '\\' {
			r.jsonEscape()
			continue
		}
		r.built = append(r.built, r.text[r.at])
		r.at++
	}
	r.at++
	return r.scalarNode(node.DoubleQuotedStyle, start, r.takeBuilt())
}

// jsonEscape writes the character of the escape at the cursor. Half of a surrogate pair becomes U+FFFD.
func (r *reader) jsonEscape() {
	switch c := r.text[r.at+1]; c {
	case '/':
		r.built = append(r.built, '/')
	case 'u':
		value, size := lex.EscapedRune(r.text[r.at:])
		r.built = utf8.AppendRune(r.built, value)
		r.at += size
		return
	default:
		r.built = append(r.built, escapes[c]...)
	}
	r.at += 2
}

// jsonSpace passes over blanks and line breaks.
func (r *reader) jsonSpace() {
	for lex.IsBlank(r.text[r.at]) || lex.IsBreak(r.text[r.at]) {
		r.at++
	}
}
