package emit

import (
	"math/rand/v2"
	"strings"
	"testing"

	"sigs.k8s.io/yaml/kyaml"

	"pillion.dev/pillion/internal/text/yaml/node"
)

// words are keys and strings of which some need quotes or escapes, or are written over lines.
var words = []string{
	"", "name", "image", "a", "t", "F", "no", "Yes", "on", "null", "~", "inf", "Infinity", "i_nf", "nan", "1e3", "x1", "1x", "0x1F", "1_0",
	"2001-01-01", "11:00", "_a", "a_", "-a", "a-", "a.b/c", "/a", "a/", "é", "a b", "a: b", "a #b", `say "x"`, `back\slash`, "it's",
	"two\nlines", "\n", "a\n\n  b\n", "tab\tin", "\tbefore\nafter", "bell\a", "\x7f\u0085\u00a0\u2028\ufeff", "\U0001F680", "\ufffd",
	"{", "}", ",", "&a", "*a", "!a", "%", "@", "`", "---",
}

// TestKYAMLIsWhatTheFormatterWrites compares random values with what the formatter makes of the same values in JSON.
func TestKYAMLIsWhatTheFormatterWrites(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		value := node.Mapping(node.String(words[random.IntN(len(words))]), randomValue(random, 4))
		var want strings.Builder
		encoder := kyaml.Encoder{}
		text := Style{Flow: FlowStyle{JSON: true}}.FlowValue(nil, value, "")
		if err := encoder.FromYAML(strings.NewReader(string(text)), &want); err != nil {
			t.Fatalf("%v in:\n%s", err, text)
		}
		style := Style{LineEnd: "\n", Flow: FlowStyle{KYAML: true, Indent: "  "}}
		if got := "---\n" + string(style.FlowValue(nil, value, "")) + "\n"; got != want.String() {
			t.Fatalf("got:\n%s\nwant:\n%s", got, want.String())
		}
	}
}

func randomValue(random *rand.Rand, depth int) *node.Node {
	kind := random.IntN(8)
	value := &node.Node{Kind: node.SequenceNode, Tag: node.SeqTag}
	switch {
	case depth == 0 || kind < 3:
		return node.String(words[random.IntN(len(words))])
	case kind == 3:
		return &node.Node{Kind: node.ScalarNode, Tag: node.IntTag, Value: "80"}
	case kind == 4:
		return &node.Node{Kind: node.ScalarNode, Tag: node.BoolTag, Value: "true"}
	case kind == 5:
		value = &node.Node{Kind: node.MappingNode, Tag: node.MapTag}
	}
	for _, i := range random.Perm(len(words))[:random.IntN(4)] {
		if value.Kind == node.MappingNode {
			value.Content = append(value.Content, node.String(words[i]))
		}
		value.Content = append(value.Content, randomValue(random, depth-1))
	}
	return value
}
