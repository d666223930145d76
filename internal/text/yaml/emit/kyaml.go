package emit

import (
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/yaml/kyaml"

	"pillion.dev/pillion/internal/text/yaml/lex"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// cuddles reports whether KYAML writes a collection as "[{", without lines for its entries: a list without scalars.
func cuddles(n *node.Node) bool {
	isScalar := func(entry *node.Node) bool { return entry.Kind == node.ScalarNode }
	return n.Kind == node.SequenceNode && !slices.ContainsFunc(n.Content, isScalar)
}

// kyamlString returns a string as KYAML has it. The lines of a long one are not indented.
func kyamlString(value string) string {
	quoted := string(doubleQuoted(nil, value))
	isRare := func(r rune) bool { return r < ' ' || r > '~' }
	if strings.ContainsFunc(value, isRare) {
		return formatted(quoted, kyaml.Encoder{})
	}
	return quoted
}

// kyamlKey returns a key as KYAML has it, in quotes if they are needed.
func kyamlKey(key string) string {
	if needsNoQuotes(key) {
		return key
	}
	pair := formatted("{"+string(doubleQuoted(nil, key))+": 0}", kyaml.Encoder{Compact: true})
	return strings.TrimSuffix(strings.TrimPrefix(pair, "{"), ": 0}")
}

// needsNoQuotes reports whether a key is surely written without quotes, as nearly all are. The formatter takes a
// hundred times as long.
func needsNoQuotes(key string) bool {
	if len(key) < 2 || !lex.IsLetter(key[0]) || !lex.IsLetter(key[len(key)-1]) || !isSimple(key) || lex.IsReserved(key) {
		return false
	}
	_, err := strconv.ParseFloat(strings.ReplaceAll(key, "_", ""), 64)
	return err != nil // Infinity is a number
}

// formatted returns a text as the formatter of KYAML writes it.
func formatted(text string, encoder kyaml.Encoder) string {
	var made strings.Builder
	if encoder.FromYAML(strings.NewReader(text), &made) != nil {
		return text
	}
	return strings.TrimSuffix(strings.TrimPrefix(made.String(), "---\n"), "\n")
}
