package parse

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/lex"
)

// fromJSON reads an object or a list in JSON by the rules of JSON: YAML refuses some of its
// escapes and characters, and folds others into spaces. Positions are counted as in YAML.
func fromJSON(text []byte, arena *Arena) (document *yaml.Node, ok bool) {
	start := bytes.TrimLeft(text, " \t\r\n")
	if len(start) == 0 || start[0] != '{' && start[0] != '[' {
		return nil, false
	}
	if !utf8.Valid(text) || !json.Valid(text) { // json.Valid reads invalid UTF-8 as U+FFFD
		return nil, false
	}
	r := newReader(text, arena)
	r.wide = true
	r.jsonSpace()
	document = r.node(yaml.DocumentNode, "", r.at)
	mark := r.open()
	r.add(r.jsonValue())
	document.Content = r.close(mark)
	return document, true
}

// jsonValue reads the value at the cursor, and ends behind it.
func (r *reader) jsonValue() *yaml.Node {
	switch r.text[r.at] {
	case '{':
		return r.jsonCollection(yaml.MappingNode, "!!map", '}')
	case '[':
		return r.jsonCollection(yaml.SequenceNode, "!!seq", ']')
	case '"':
		return r.jsonString()
	}
	n := r.node(yaml.ScalarNode, "", r.at)
	start := r.at
	for r.at < len(r.text) && strings.IndexByte(",]} \t\r\n", r.text[r.at]) < 0 {
		r.at++
	}
	n.Value = r.text[start:r.at]
	n.Tag = tagOf(n)
	return n
}

// jsonCollection reads the entries in brackets: the values of a list, or the keys and values of an object.
func (r *reader) jsonCollection(kind yaml.Kind, tag string, closing byte) *yaml.Node {
	n := r.node(kind, tag, r.at)
	n.Style = yaml.FlowStyle
	mark := r.open()
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
	n.Content = r.close(mark)
	return n
}

// jsonString reads the string at the cursor.
func (r *reader) jsonString() *yaml.Node {
	n := r.node(yaml.ScalarNode, "!!str", r.at)
	n.Style = yaml.DoubleQuotedStyle
	r.built = r.built[:0]
	for r.at++; r.text[r.at] != '"'; {
		if r.text[r.at] == '\\' {
			r.jsonEscape()
			continue
		}
		c, size := utf8.DecodeRuneInString(r.text[r.at:])
		r.built = append(r.built, r.text[r.at:r.at+size]...)
		r.at += size
		if c == '\u0085' || c == '\u2028' || c == '\u2029' {
			r.line, r.lineStart = r.line+1, r.at
		}
	}
	r.at++
	n.Value = r.takeBuilt()
	return n
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
	for {
		switch r.peek(r.at) {
		case ' ', '\t':
			r.at++
		case '\n', '\r':
			r.newLine(r.at)
		default:
			return
		}
	}
}
