package emit

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"pillion.dev/pillion/internal/text/yaml/lex"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// Scalar appends a scalar on one line. Flow is set inside of brackets.
func (s Style) Scalar(dst []byte, n *node.Node, flow bool) []byte {
	isJSON := flow && s.Flow.JSON
	switch tag := n.Tag; {
	case n.Kind != node.ScalarNode:
		return s.FlowValue(dst, n, "")
	case tag == node.StrTag:
		return text(dst, n, flow, isJSON)
	case tag == node.MergeTag:
		return append(dst, "<<"...)
	case tag == node.NullTag && (isJSON || flow && n.Value == ""):
		return append(dst, "null"...)
	case tag != node.PlainTag(n.Value) || n.Style&node.TaggedStyle != 0:
		return text(append(append(dst, tag.String()...), ' '), n, flow, true)
	}
	return append(dst, n.Value...)
}

// text appends a string in its own style if that is safe, and in quotes otherwise.
func text(dst []byte, n *node.Node, flow, quoted bool) []byte {
	switch {
	case quoted || n.Style&node.DoubleQuotedStyle != 0:
		return doubleQuoted(dst, n.Value)
	case n.Style&node.SingleQuotedStyle != 0 && isPrintable(n.Value):
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
