package node_test

import (
	"fmt"
	"testing"

	"pillion.dev/pillion/internal/text/yaml/node"
	"pillion.dev/pillion/internal/text/yaml/read"
)

func parse(t *testing.T, text string) *node.Node {
	t.Helper()
	var document node.Node
	if err := read.Into([]byte(text), &document); err != nil {
		t.Fatal(err)
	}
	return &document
}

func root(t *testing.T, text string) *node.Node { return parse(t, text).Content[0] }

func TestGetSeesThroughAliasesAndMergeKeys(t *testing.T) {
	n := root(t, "base: &b {x: 1, y: 2}\nalias: *b\nmerged: {<<: *b, y: 3}\nmany: {<<: [{z: 9}, *b]}\n")
	for path, want := range map[[2]string]string{
		{"alias", "x"}: "1", {"merged", "x"}: "1", {"merged", "y"}: "3", {"many", "z"}: "9", {"many", "y"}: "2", {"many", "none"}: "",
	} {
		if got := node.Text(n, path[0], path[1]); got != want {
			t.Errorf("%v is %q, want %q", path, got, want)
		}
	}
}

func TestEqualIsWhatKubernetesWouldSay(t *testing.T) {
	tests := []struct {
		a, b string
		want bool
	}{
		{"{a: 1, b: x}", "b: 'x'\na: 1", true},
		{"[1, 2]", "[2, 1]", false},
		{"a: 1", "a: '1'", false},
		{"a: 0x10", "a: 16", true},
		{"a: 1.0", "a: 1", true}, // which is what it is in JSON
		{"a: 1.5", "a: 1", false},
		{"a: yes", "a: true", true},
		{"a: yes", "a: 'yes'", false},
		{"a: off", "a: true", false},
		{"a: 8_080", "a: 0x1F90", true},
		{"a: .nan", "a: .nan", true},
		{"a: ~", "a:", true},
		{"a: true", "a: True", true},
		{"a: x", "a: x\nb: y", false},
		{"a: {}", "a: []", false},
		{"x: &x {a: 1}\ny: *x", "x: {a: 1}\ny: {a: 1}", true},
		{"x: &x {a: 1}\ny: {<<: *x}", "x: {a: 1}\ny: {a: 1}", true},
	}
	for _, test := range tests {
		if got := node.Equal(parse(t, test.a), parse(t, test.b)); got != test.want {
			t.Errorf("Equal(%q, %q) is %v", test.a, test.b, got)
		}
	}
}

func TestOwnWritesOutWhatOthersShare(t *testing.T) {
	const text = "base: &b {list: [1]}\nalias: *b\nmerged: {<<: *b}\n"
	before := root(t, text)
	n := node.Clone(before)
	node.Insert(node.Own(node.Own(n, "alias"), "list"), 1, node.String("new"))
	node.Insert(node.Own(node.Own(n, "merged"), "list"), 0, node.String("new"))
	want := "base: {list: [1]}\nalias: {list: [1, new]}\nmerged: {list: [new, 1]}\n"
	if !node.Equal(n, root(t, want)) {
		t.Errorf("got %s, want:\n%s", node.Brief(n), want)
	}
	if !node.Equal(before, root(t, text)) {
		t.Error("the original changed with it")
	}
}

func TestSpreadingAliasFindsAChangeThatReachesOthers(t *testing.T) {
	before := root(t, "a: &x {list: [1]}\nb: *x\nc: [1]\n")
	harmless := node.Clone(before)
	node.Insert(node.Own(harmless, "c"), 0, node.String("new"))
	if alias := node.SpreadingAlias(harmless); alias != nil {
		t.Errorf("a change elsewhere is said to spread by %s", alias.Value)
	}
	harmful := node.Clone(before)
	node.Insert(node.Own(node.Own(harmful, "a"), "list"), 0, node.String("new"))
	if alias := node.SpreadingAlias(harmful); alias == nil || alias.Value != "x" {
		t.Errorf("got %v; want the alias of x", alias)
	}
}

func TestMergeKeysThatMultiplyAreFollowedOnce(t *testing.T) {
	text := "m0: &m0 {k0: v0}\n"
	for i := 1; i <= 60; i++ {
		text += fmt.Sprintf("m%[1]d: &m%[1]d {<<: [*m%[2]d, *m%[2]d], k%[1]d: v%[1]d}\n", i, i-1)
	}
	last := node.Get(root(t, text), "m60")
	if got := node.Text(last, "k0"); got != "v0" {
		t.Errorf("Text is %q, want v0", got)
	}
	keys, values := node.Keys(last), node.Values(last)
	if len(keys) != 61 || keys[0] != "k60" || keys[60] != "k0" {
		t.Errorf("Keys are %v", keys)
	}
	if got := values.Get("k0"); got == nil || got.Value != "v0" {
		t.Errorf("Values has %v, want v0", got)
	}
}

func TestMergeKeysInACircleEnd(t *testing.T) {
	loop := node.Mapping()
	loop.Content = []*node.Node{{Kind: node.ScalarNode, Tag: node.MergeTag, Value: "<<"}, loop}
	if node.Get(loop, "x") != nil || len(node.Keys(loop)) != 0 {
		t.Error("found something in nothing")
	}
}
