package node_test

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/resource"
	sigsyaml "sigs.k8s.io/yaml"

	"pillion.dev/pillion/internal/text/yaml/node"
	"pillion.dev/pillion/internal/text/yaml/read"
)

func TestIsStringReadsAsKubectlDoes(t *testing.T) {
	for spelling, want := range map[string]bool{
		"a": true, `"8080"`: true, "'yes'": true, `""`: true, "|\n  yes": true, "maybe": true,
		"yes": false, "n": false, "8080": false, "true": false, "": false, "~": false, "[a]": false, "{a: b}": false,
	} {
		if got := node.IsString(node.Get(parsed(t, spelling), "v")); got != want {
			t.Errorf("node.IsString(%q) is %v", spelling, got)
		}
	}
	if node.IsString(nil) {
		t.Error("nothing is a string")
	}
}

func TestBoolAndIntReadEverySpellingThatKubectlReads(t *testing.T) {
	for spelling, want := range map[string]any{
		"true": true, "True": true, "TRUE": true, "yes": true, "Yes": true, "YES": true, "on": true, "On": true, "ON": true, "y": true, "Y": true,
		"false": false, "False": false, "FALSE": false, "no": false, "No": false, "NO": false, "off": false, "Off": false, "n": false, "N": false,
		"tRUE": nil, "yEs": nil, "maybe": nil, "~": nil, "null": nil, "": nil, "[]": nil, "{}": nil, "[true]": nil, "!!str true": true,
		"2024-01-01": nil,
		"!!bool yes": true, `!!bool "off"`: false, "! on": true, `! "on"`: true, "&a yes": true, "|\n  yes": nil, "yes please": nil,
		"8080": 8080, "0x1F90": 8080, "0X1f90": 8080, "017620": 8080, "0o17620": 8080, "0b1111110010000": 8080, "8_080": 8080, "+8080": 8080,
		"8080.0": 8080, "8.08e3": 8080, "8080.": 8080, "-0x10": -16, "010": 8, "1e3": 1000, "0": 0, "-0": 0, "-0.0": 0, "00": 0, "0_8": 8,
		"08": 8, "8080.5": nil, "1e10": nil, "2147483648": nil, "-2147483648": -2147483648, "0xFFFFFFFF": nil, ".inf": nil, ".nan": nil,
		"1e400":      nil,
		"!!int 0x10": 16, `!!int "0x10"`: 16, "!!float 8080": 8080, "! 8080": 8080, `! "0x1F90"`: 8080, "8080 # http": 8080,
		"1:30": nil, "1,000": nil,
		"99999999999999999999": nil, "0b": nil, "0x": nil, "_1": nil, "1_": 1, "1__0": 10, "--1": nil, "0x1_0": 16, "- 1": nil,
	} {
		n := parsed(t, spelling)
		b, isBool := node.Bool(n, "v")
		i, isInt := node.Int(n, "v")
		wantBool, wantIsBool := want.(bool)
		wantInt, wantIsInt := want.(int)
		if b != wantBool || isBool != wantIsBool {
			t.Errorf("node.Bool(%q) is %v, %v; want %v, %v", spelling, b, isBool, wantBool, wantIsBool)
		}
		if isInt != wantIsInt || isInt && i != wantInt {
			t.Errorf("node.Int(%q) is %v, %v; want %v, %v", spelling, i, isInt, wantInt, wantIsInt)
		}
		agreesWithKubectl(t, spelling)
	}
}

// TestBoolAndIntAgreeWithKubectl holds random spellings against the decoder that kubectl uses.
func TestBoolAndIntAgreeWithKubectl(t *testing.T) {
	pieces := strings.Fields("0 1 2 7 8 9 10 80 0x 0X 0o 0O 0b 0B _ . .. e E e3 e-1 e+2 + - a f F " +
		"y Y n N yes no on off true True TRUE false null ~ .inf .nan inf : T Z")
	wraps := []string{
		"%", "%", "%", "%", "%", "%", `"%"`, "'%'", "! %", `! "%"`, "!!int %", "!!float %", "!!bool %", "!!str %",
		`!!int "%"`, "% # x", "&a %", "[%]",
	}
	random := rand.New(rand.NewPCG(7, 11))
	for range 30_000 {
		var spelling strings.Builder
		for range 1 + random.IntN(4) {
			spelling.WriteString(pieces[random.IntN(len(pieces))])
		}
		agreesWithKubectl(t, strings.Replace(wraps[random.IntN(len(wraps))], "%", spelling.String(), 1))
		if t.Failed() {
			return
		}
	}
}

// agreesWithKubectl reads a value as kubectl and the API server do. What they read, Bool, Int and
// Amount read as well; what they refuse is refused, except in quotes.
func agreesWithKubectl(t *testing.T, spelling string) {
	t.Helper()
	text := []byte("v: " + spelling + "\n")
	sent, err := sigsyaml.YAMLToJSON(text)
	var document node.Node
	if err != nil || read.Into(text, &document) != nil {
		return // no workload that kubectl sends, or that is read here
	}
	n := document.Content[0]
	const quoted = node.DoubleQuotedStyle | node.SingleQuotedStyle | node.TaggedStyle
	// The tag ! makes it a string and is not in the node; 0o-7 is a number to the parser here alone.
	oddString := strings.HasPrefix(spelling, "! ") || strings.Contains(spelling, "0o-") || strings.Contains(spelling, "0o+")
	inQuotes := node.Get(n, "v").Style&quoted != 0 || oddString
	var wantBool struct{ V *bool }
	var wantInt struct{ V *int32 }
	var wantAmount struct{ V *resource.Quantity }
	isBool, isInt := json.Unmarshal(sent, &wantBool) == nil && wantBool.V != nil, json.Unmarshal(sent, &wantInt) == nil && wantInt.V != nil
	switch got, ok := node.Bool(n, "v"); {
	case isBool && (!ok || got != *wantBool.V):
		t.Errorf("node.Bool(%q) is %v, %v; kubectl sends %s", spelling, got, ok, sent)
	case !isBool && ok && !inQuotes:
		t.Errorf("node.Bool(%q) is %v; kubectl sends %s", spelling, got, sent)
	}
	switch got, ok := node.Int(n, "v"); {
	case isInt && (!ok || got != int(*wantInt.V)):
		t.Errorf("node.Int(%q) is %v, %v; kubectl sends %s", spelling, got, ok, sent)
	case !isInt && ok && !inQuotes:
		t.Errorf("node.Int(%q) is %v; kubectl sends %s", spelling, got, sent)
	}
	isAmount := json.Unmarshal(sent, &wantAmount) == nil && wantAmount.V != nil
	if amount, err := resource.ParseQuantity(node.Amount(n, "v")); isAmount && !inQuotes && (err != nil || amount.Cmp(*wantAmount.V) != 0) {
		t.Errorf("node.Amount(%q) is %q; kubectl sends %s", spelling, node.Amount(n, "v"), sent)
	}
}

func parsed(t *testing.T, value string) *node.Node {
	t.Helper()
	var document node.Node
	if err := read.Into([]byte("v: "+value+"\n"), &document); err != nil {
		return &node.Node{Kind: node.MappingNode}
	}
	return document.Content[0]
}

func TestACopyOfABooleanStaysOne(t *testing.T) {
	original := parsed(t, `{a: yes, b: [Off, "on"]}`)
	want := parsed(t, `{a: true, b: [false, "on"]}`)
	if got := node.Fresh(original); !node.Equal(got, want) {
		t.Errorf("a copy of %s is %s", node.Brief(original), node.Brief(got))
	}
	if made := node.String("yes"); node.Equal(made, parsed(t, "yes").Content[1]) || !node.Equal(made, parsed(t, `"yes"`).Content[1]) {
		t.Error("a string that was made is not the boolean that was read")
	}
}
