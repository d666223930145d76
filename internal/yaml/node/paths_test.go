package node_test

import (
	"testing"

	"pillion.dev/pillion/internal/yaml/node"
	"pillion.dev/pillion/internal/yaml/read"
)

func TestPathsLeadToTheSameEntriesOfAnotherVersion(t *testing.T) {
	var document node.Node
	if err := read.Into([]byte("a.b/c: 1\nlist:\n- {name: a}\n- name: b\n  env: [{x: 1}, {y: 2}]\n"), &document); err != nil {
		t.Fatal(err)
	}
	to := document.Content[0]
	from := node.Clone(to)
	list := node.Own(from, "list")
	env := node.Own(node.OwnEntry(list, 1), "env")
	list.Content, env.Content = list.Content[1:], env.Content[1:]
	node.Insert(list, 1, node.Mapping(node.String("name"), node.String("new")))
	paths := node.NewPaths(from, to)
	for path, want := range map[string]string{
		"a.b/c":            "a.b/c",
		"list[0]":          "list[1]",
		"list[0].env[0].y": "list[1].env[1].y",
		"list[0].none[3]":  "list[1].none[3]",
		"list[1].name":     "list[1].name",
		"list[9]":          "list[9]",
		"":                 "",
	} {
		if got := paths.Of(path); got != want {
			t.Errorf("%q became %q, want %q", path, got, want)
		}
	}
}
