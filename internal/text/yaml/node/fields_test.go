package node_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pillion.dev/pillion/internal/text/yaml/node"
)

// TestFieldsAreWhatGetFinds compares the fields of mappings of all kinds with what Get finds by their keys.
func TestFieldsAreWhatGetFinds(t *testing.T) {
	var many strings.Builder
	for i := range 40 {
		fmt.Fprintf(&many, "k%d: v%d\n", i, i)
	}
	odd := node.Mapping(&node.Node{Kind: node.MappingNode}, node.String("1"), node.String("b"), node.String("2"))
	for name, test := range map[string]struct {
		mapping *node.Node
		want    []string
	}{
		"none":         {nil, nil},
		"a list":       {root(t, "[a, b]"), nil},
		"few":          {root(t, "{b: 1, a: null, c: {d: e}}"), []string{"b", "a", "c"}},
		"many":         {root(t, many.String()), nil},
		"merged":       {node.Get(root(t, "x: &x {a: 1, b: 2}\ny: {b: 3, <<: *x, c: 4}"), "y"), []string{"b", "c", "a"}},
		"aliases":      {root(t, "a: &a {x: y}\nb: *a"), []string{"a", "b"}},
		"no plain key": {odd, []string{"b"}},
	} {
		var keys []string
		values := node.Values(test.mapping)
		for key, value := range node.Fields(test.mapping) {
			if want := node.Get(test.mapping, key); value != want || node.Resolve(values.Get(key)) != want {
				t.Errorf("%s: the value of %q is %v, and a lookup finds %v, want %v", name, key, value, values.Get(key), want)
			}
			keys = append(keys, key)
		}
		if !slices.Equal(keys, node.Keys(test.mapping)) || test.want != nil && !slices.Equal(keys, test.want) {
			t.Errorf("%s: the keys are %q and %q, want %q", name, keys, node.Keys(test.mapping), test.want)
		}
	}
}

// A lookup of its own for each key that is an alias would take the square of their number.
func TestFieldsWithAliasesAsKeysAreFoundTogether(t *testing.T) {
	const keys = 1000
	m := node.Mapping()
	for i := range keys {
		alias := &node.Node{Kind: node.AliasNode, Value: fmt.Sprint("a", i), Content: []*node.Node{node.String("k")}}
		m.Content = append(m.Content, alias, node.String("v"))
	}
	count := testing.AllocsPerRun(5, func() {
		for range node.Fields(m) {
			continue
		}
	})
	if count > keys/4 {
		t.Errorf("%.0f allocations", count)
	}
}

func TestAppendingToAListChangesNothingElse(t *testing.T) {
	object := root(t, "list: [a, b]\nother: &o c\naliased: [*o]")
	sequence := node.Get(object, "list")
	sequence.Content = append(make([]*node.Node, 0, 8), sequence.Content...)
	first := append(node.List(object, "list"), node.String("x"))
	second := append(node.List(object, "list"), node.String("y"))
	if first[2].Value != "x" || second[2].Value != "y" || len(sequence.Content) != 2 {
		t.Errorf("the lists are %v, %v and %v", first, second, sequence.Content)
	}
	if list := node.List(object, "aliased"); len(list) != 1 || list[0].Value != "c" {
		t.Errorf("the alias is read as %v", list)
	}
}
