package admission

import (
	"strconv"
	"strings"

	"pillion.dev/pillion/internal/yaml/node"
)

// quote returns a string as a CEL literal. Go's quoting is valid in CEL, as a test in test/admission shows for every character.
func quote(text string) string { return strconv.Quote(text) }

// stringList returns a list of strings as a CEL literal.
func stringList(texts []string) string {
	quoted := make([]string, len(texts))
	for i, text := range texts {
		quoted[i] = quote(text)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

// literal returns a value of the payload as a CEL literal, laid out over lines. CEL refuses maps and lists of different types, unless
// each value is dyn.
func literal(n *node.Node) string { return literalAt(n, "") }

func literalAt(n *node.Node, indent string) string {
	n = node.Resolve(n)
	deeper := indent + "  "
	switch n.Kind {
	case node.MappingNode:
		var b strings.Builder
		b.WriteString("{")
		separator := "\n"
		wrap := wrapper(n)
		for key, value := range node.Fields(n) {
			if node.IsNull(value) {
				continue
			}
			b.WriteString(separator + deeper + quote(key) + ": " + wrap(literalAt(value, deeper)))
			separator = ",\n"
		}
		if separator == "\n" {
			return "{}"
		}
		b.WriteString("\n" + indent + "}")
		return b.String()
	case node.SequenceNode:
		if len(n.Content) == 0 {
			return "[]"
		}
		wrap, entries := wrapper(n), make([]string, len(n.Content))
		isFlat := true
		for i, entry := range n.Content {
			entries[i] = wrap(literalAt(entry, deeper))
			isFlat = isFlat && node.Resolve(entry).Kind == node.ScalarNode
		}
		if isFlat {
			return "[" + strings.Join(entries, ", ") + "]"
		}
		return "[\n" + deeper + strings.Join(entries, ",\n"+deeper) + "\n" + indent + "]"
	default:
		return scalar(n)
	}
}

// scalar returns a scalar as a CEL literal.
func scalar(n *node.Node) string {
	if isExpression(n) {
		return n.Value
	}
	switch value := node.Scalar(n).(type) {
	case bool:
		return strconv.FormatBool(value)
	case int:
		return strconv.Itoa(value)
	case int64:
		return strconv.FormatInt(value, 10)
	case float64:
		text := strconv.FormatFloat(value, 'f', -1, 64)
		if !strings.Contains(text, ".") {
			text += ".0"
		}
		return text
	default:
		return quote(n.Value)
	}
}

// wrapper returns a function that makes values of a mapping or list dyn, unless all of them are strings.
func wrapper(n *node.Node) func(string) string {
	step, start := 1, 0
	if n.Kind == node.MappingNode {
		step, start = 2, 1
	}
	for i := start; i < len(n.Content); i += step {
		if value := node.Resolve(n.Content[i]); value.Kind != node.ScalarNode || value.ShortTag() != node.StrTag {
			return func(text string) string { return "dyn(" + text + ")" }
		}
	}
	return func(text string) string { return text }
}
