package emit

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/lex"
	"pillion.dev/pillion/internal/yaml/node"
)

// explicitTag returns the tag that must be written with a node because its text alone would
// be read as something else, or the empty string.
func explicitTag(n *yaml.Node) string {
	tag := n.ShortTag()
	switch {
	case n.Kind == yaml.MappingNode && tag == "!!map", n.Kind == yaml.SequenceNode && tag == "!!seq":
		return ""
	case n.Kind == yaml.ScalarNode && (tag == "!!str" || tag == "!!merge" || tag == resolved(n.Value) || isBoolWord(n)):
		return ""
	}
	return tag
}

// resolved returns the tag that a plain scalar is read with.
func resolved(value string) string {
	return (&yaml.Node{Kind: yaml.ScalarNode, Value: value}).ShortTag()
}

// isBoolWord reports whether a node is a boolean in a spelling that only some parsers take for one, such as yes. It is
// written without its tag.
func isBoolWord(n *yaml.Node) bool {
	_, isBool := node.Bool(n)
	return isBool && n.Tag == "!!bool" && n.Style&yaml.TaggedStyle == 0
}

// Scalar appends a scalar on one line. Flow is set inside of brackets.
func (s Style) Scalar(dst []byte, n *yaml.Node, flow bool) []byte {
	json := flow && s.Flow.JSON
	switch tag := n.ShortTag(); {
	case n.Kind != yaml.ScalarNode:
		return s.FlowValue(dst, n, "")
	case tag == "!!str":
		return text(dst, n, flow, json)
	case tag == "!!merge":
		return append(dst, "<<"...)
	case tag == "!!null" && (json || flow && n.Value == ""):
		return append(dst, "null"...)
	case isBoolWord(n):
		return append(dst, n.Value...)
	case tag != resolved(n.Value) || n.Style&yaml.TaggedStyle != 0:
		return text(append(append(dst, tag...), ' '), n, flow, true)
	}
	return append(dst, n.Value...)
}

// text appends a string in its own style if that is safe, and in quotes otherwise. A string
// that is a boolean in YAML 1.1, such as yes, stays without quotes.
func text(dst []byte, n *yaml.Node, flow, quoted bool) []byte {
	switch {
	case node.IsPlainBool(n):
		return append(dst, n.Value...)
	case quoted || n.Style&yaml.DoubleQuotedStyle != 0:
		return doubleQuoted(dst, n.Value)
	case n.Style&yaml.SingleQuotedStyle != 0 && isPrintable(n.Value):
		return singleQuoted(dst, n.Value)
	case SafePlain(n.Value, flow):
		return append(dst, n.Value...)
	case strings.ContainsAny(n.Value, `"\`) && isPrintable(n.Value):
		return singleQuoted(dst, n.Value)
	}
	return doubleQuoted(dst, n.Value)
}

func singleQuoted(dst []byte, value string) []byte {
	dst = append(dst, '\'')
	dst = append(dst, strings.ReplaceAll(value, "'", "''")...)
	return append(dst, '\'')
}

// doubleQuoted appends a string in double quotes, with escapes that YAML and JSON share.
func doubleQuoted(dst []byte, value string) []byte {
	dst = append(dst, '"')
	for _, r := range value {
		switch {
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r == '\n':
			dst = append(dst, `\n`...)
		case r == '\r':
			dst = append(dst, `\r`...)
		case r == '\t':
			dst = append(dst, `\t`...)
		case r == utf8.RuneError || !lex.IsPrintable(r):
			dst = fmt.Appendf(dst, `\u%04x`, r)
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return append(dst, '"')
}

// isPrintable reports whether a string can be written on one line without escapes.
func isPrintable(value string) bool {
	for _, r := range value {
		if r == utf8.RuneError || !lex.IsPrintable(r) {
			return false
		}
	}
	return true
}
