package splice

import (
	"strings"
	"testing"

	"pillion.dev/pillion/internal/text/edit"
	"pillion.dev/pillion/internal/text/yaml/node"
	"pillion.dev/pillion/internal/text/yaml/read"
)

func parsed(t testing.TB, text string) *node.Node {
	t.Helper()
	var document node.Node
	if err := read.Into([]byte(text), &document); err != nil {
		t.Fatalf("%v in:\n%s", err, text)
	}
	return &document
}

// fresh is new nodes, as they come from a configuration.
func fresh(t testing.TB, text string) *node.Node {
	t.Helper()
	return node.Fresh(parsed(t, text).Content[0])
}

// at walks to a node of the document by keys; a number is an index.
func at(n *node.Node, path string) *node.Node {
	if n.Kind == node.DocumentNode {
		n = n.Content[0]
	}
	for _, step := range strings.Fields(path) {
		if n.Kind == node.SequenceNode {
			n = n.Content[step[0]-'0']
			continue
		}
		for i := 0; i < len(n.Content); i += 2 {
			if n.Content[i].Value == step {
				n = n.Content[i+1]
				break
			}
		}
	}
	return n
}

func insertAt(seq *node.Node, index int, entry *node.Node) {
	seq.Content = append(seq.Content[:index:index], append([]*node.Node{entry}, seq.Content[index:]...)...)
}

func removeAt(seq *node.Node, index, count int) {
	seq.Content = append(seq.Content[:index:index], seq.Content[index+count:]...)
}

func set(m *node.Node, key string, value *node.Node) {
	for i := 0; i < len(m.Content); i += 2 {
		if m.Content[i].Value == key {
			m.Content[i+1] = value
			return
		}
	}
	m.Content = append(m.Content, node.String(key), value)
}

func unset(m *node.Node, key string) {
	for i := 0; i < len(m.Content); i += 2 {
		if m.Content[i].Value == key {
			removeAt(m, i, 2)
			return
		}
	}
}

// spliced returns a text with a changed document.
func spliced(text []byte, before, after *node.Node) ([]byte, error) {
	edits, err := Edits(text, before, after, Past{})
	return edit.Apply(text, edits), err
}

func mustSplice(t testing.TB, text string, change func(document *node.Node)) string {
	t.Helper()
	before := parsed(t, text)
	after := parsed(t, text)
	change(after)
	result, err := spliced([]byte(text), before, after)
	if err != nil {
		t.Fatalf("%v in:\n%s", err, text)
	}
	return string(result)
}

type edition struct {
	name   string
	text   string
	change func(t *testing.T, d *node.Node)
	want   string
}

func (e edition) run(t *testing.T) {
	t.Run(e.name, func(t *testing.T) {
		got := mustSplice(t, e.text, func(d *node.Node) { e.change(t, d) })
		if got != e.want {
			t.Errorf("got:\n%s\nwant:\n%s", got, e.want)
		}
	})
}

// add appends an entry to the list at the path.
func add(path, entry string) func(*testing.T, *node.Node) {
	return func(t *testing.T, d *node.Node) {
		list := at(d, path)
		list.Content = append(list.Content, fresh(t, entry))
	}
}

func prepend(path, entry string) func(*testing.T, *node.Node) {
	return func(t *testing.T, d *node.Node) { insertAt(at(d, path), 0, fresh(t, entry)) }
}

func put(path, key, value string) func(*testing.T, *node.Node) {
	return func(t *testing.T, d *node.Node) { set(at(d, path), key, fresh(t, value)) }
}

func drop(path, key string) func(*testing.T, *node.Node) {
	return func(_ *testing.T, d *node.Node) { unset(at(d, path), key) }
}

func dropAt(path string, index int) func(*testing.T, *node.Node) {
	return func(_ *testing.T, d *node.Node) { removeAt(at(d, path), index, 1) }
}

func TestNewTextTakesTheStyleOfItsNeighbours(t *testing.T) {
	for _, e := range []edition{
		{
			"an entry of a compact list", "spec:\n  containers:\n  - name: a\n    image: b\n",
			add("spec containers", "{name: x}"), "spec:\n  containers:\n  - name: a\n    image: b\n  - {name: x}\n",
		},
		{
			"an entry of a wide list", "spec:\n  containers:\n    - name: a\n",
			add("spec containers", "name: x\nargs:\n- b\n- c"),
			"spec:\n  containers:\n    - name: a\n    - name: x\n      args:\n        - b\n        - c\n",
		},
		{
			"four columns", "spec:\n    containers:\n    -   name: a\n        env:\n            b: c\n",
			add("spec containers", "name: x\nenv:\n  d: e"),
			"spec:\n    containers:\n    -   name: a\n        env:\n            b: c\n    -   name: x\n        env:\n" +
				"            d: e\n",
		},
		{
			"a new list beside a wide one", "spec:\n  containers:\n    - name: a\n",
			put("spec", "volumes", "- name: x"), "spec:\n  containers:\n    - name: a\n  volumes:\n    - name: x\n",
		},
		{
			"a new list beside a compact one", "spec:\n  containers:\n  - name: a\n",
			put("spec", "volumes", "- name: x"), "spec:\n  containers:\n  - name: a\n  volumes:\n  - name: x\n",
		},
		{
			"a new list of lists beside lists of both kinds, of which the first shows the style", "a:\n  - b\nc:\n- d\ne:\n- f\n",
			put("", "x", "- k:\n  - v"), "a:\n  - b\nc:\n- d\ne:\n- f\nx:\n  - k:\n      - v\n",
		},
		{
			"a new mapping where the first one of the document shows the style", "a:\n    b: c\nd:\n  e: f\n",
			put("d", "x", "k: v"), "a:\n    b: c\nd:\n  e: f\n  x:\n      k: v\n",
		},
		{
			"a new mapping beside one that is deeper than people write", "a:\n                 b: c\n",
			put("", "x", "k: v"), "a:\n                 b: c\nx:\n  k: v\n",
		},
		{"carriage returns", "spec:\r\n  a:\r\n  - b\r\n", add("spec a", "c"), "spec:\r\n  a:\r\n  - b\r\n  - c\r\n"},
		{"a missing last line end", "a:\n- b", add("a", "c"), "a:\n- b\n- c"},
		{"brackets", "a: [{name: b}] # why\n", add("a", "name: c"), "a: [{name: b}, {name: c}] # why\n"},
		{"JSON", `{"a": [{"name": "b"}]}`, add("a", "name: c"), `{"a": [{"name": "b"}, {"name": "c"}]}`},
		{"tight JSON", `{"a":[{"name":"b"}]}`, add("a", "name: c"), `{"a":[{"name":"b"},{"name":"c"}]}`},
		{
			"JSON over lines", "{\n  \"a\": [\n    {\n      \"name\": \"b\"\n    }\n  ],\n  \"c\": []\n}\n", add("c", "name: d"),
			"{\n  \"a\": [\n    {\n      \"name\": \"b\"\n    }\n  ],\n  \"c\": [\n    {\n      \"name\": \"d\"\n    }\n  ]\n}\n",
		},
		{
			"brackets over lines", "a: [\n  {name: b}, # one\n  {name: c}\n]\n", add("a", "name: d"),
			"a: [\n  {name: b}, # one\n  {name: c},\n  {name: d}\n]\n",
		},
		{"a comma at the end", "a: [\n  b,\n]\n", add("a", "c"), "a: [\n  b,\n  c,\n]\n"},
	} {
		e.run(t)
	}
}

// TestOthersTakeThePlaceOfTheLastInBraces removes pairs at the end and adds others there.
func TestOthersTakeThePlaceOfTheLastInBraces(t *testing.T) {
	replace := func(t *testing.T, d *node.Node) {
		drop("a", "c")(t, d)
		drop("a", "d")(t, d)
		put("a", "k", "v")(t, d)
		put("a", "l", "w")(t, d)
	}
	for _, e := range []edition{
		{"one", "a: {b: 1, c: [2]} # why\n", replace, "a: {b: 1, k: v, l: w} # why\n"},
		{"two", "a: {b: 1, c: [2], d: 3}\n", replace, "a: {b: 1, k: v, l: w}\n"},
		{"a comma at the end", "a: {b: 1, c: [2],}\n", replace, "a: {b: 1, k: v, l: w,}\n"},
		{
			"JSON over lines", "{\"a\": {\n  \"b\": 1,\n  \"c\": 2,\n  \"d\": 3\n}}", replace,
			"{\"a\": {\n  \"b\": 1,\n  \"k\": \"v\",\n  \"l\": \"w\"\n}}",
		},
	} {
		e.run(t)
	}
}

func TestNewTextInKYAMLIsKYAML(t *testing.T) {
	for _, e := range []edition{
		{
			"a key", "{\n  a: \"b\",\n}\n", put("", "x", "{k: v, l: [1, z]}"),
			"{\n  a: \"b\",\n  x: {\n    k: \"v\",\n    l: [\n      1,\n      \"z\",\n    ],\n  },\n}\n",
		},
		{
			"a key in four columns", "{\n    a: \"b\",\n}\n", put("", "x", "{k: v}"),
			"{\n    a: \"b\",\n    x: {\n        k: \"v\",\n    },\n}\n",
		},
		{
			"an entry beside one that shares its lines", "{\n  a: \"b\",\n  c: [{\n    d: 1,\n  }],\n}\n", prepend("c", "{d: 2}"),
			"{\n  a: \"b\",\n  c: [{\n    d: 2,\n  }, {\n    d: 1,\n  }],\n}\n",
		},
		{
			"an entry behind one with a comment", "{\n  a: \"b\",\n  c: [\n    \"d\", # why\n  ],\n}\n", add("c", "e"),
			"{\n  a: \"b\",\n  c: [\n    \"d\", # why\n    \"e\",\n  ],\n}\n",
		},
		{
			"an empty list", "{\n  a: \"b\",\n  c: [], # none\n}\n", add("c", "{d: {}}"),
			"{\n  a: \"b\",\n  c: [{\n    d: {},\n  }], # none\n}\n",
		},
		{
			"a string of several lines", "{\r\n  a: \"b\",\r\n}\r\n", put("", "x", `"one\n  two"`),
			"{\r\n  a: \"b\",\r\n  x: \"\\\r\n     one\\n\\\r\n    \\  two\\\r\n    \",\r\n}\r\n",
		},
		{
			"lines that are deeper than people write", "{\n                 a: \"b\",\n}\n", put("", "x", "{k: v}"),
			"{\n                 a: \"b\",\n                 x: {k: \"v\"},\n}\n",
		},
		{"braces on one line are no KYAML", "{a: \"b\"}\n", put("", "x", "y"), "{a: \"b\", x: y}\n"},
		{"strings without quotes are no KYAML", "{\n  a: b,\n}\n", put("", "x", "{k: v}"), "{\n  a: b,\n  x: {k: v},\n}\n"},
	} {
		e.run(t)
	}
}

func TestEmptyValuesAreFilled(t *testing.T) {
	for _, e := range []edition{
		{"empty brackets", "spec:\n  volumes: []\n", add("spec volumes", "name: x"), "spec:\n  volumes:\n  - name: x\n"},
		{
			"empty brackets with a comment", "spec:\n  volumes: [] # none\n  x: y\n", add("spec volumes", "name: x"),
			"spec:\n  volumes: # none\n  - name: x\n  x: y\n",
		},
		{"null", "spec:\n  volumes: null\n  x: y\n", put("spec", "volumes", "- name: x"), "spec:\n  volumes:\n  - name: x\n  x: y\n"},
		{"nothing in braces", "{a: , b: 1}\n", put("", "a", "x"), "{a: x, b: 1}\n"},
		{"nothing at the end of braces", "{b: 1, a: }\n", put("", "a", "x"), "{b: 1, a: x}\n"},
		{"nothing behind a colon in braces", "{'a':, b: 1}\n", put("", "a", "x"), "{'a': x, b: 1}\n"},
		{"nothing", "spec:\n  volumes:\n  x: y\n", put("spec", "volumes", "- name: x"), "spec:\n  volumes:\n  - name: x\n  x: y\n"},
		{
			"nothing but a comment", "spec:\n  volumes: # none\n  x: y\n", put("spec", "volumes", "- name: x"),
			"spec:\n  volumes: # none\n  - name: x\n  x: y\n",
		},
		{"a tilde", "spec:\n  volumes: ~", put("spec", "volumes", "- name: x"), "spec:\n  volumes:\n  - name: x"},
		{
			"brackets below their key", "spec:\n  volumes:\n    []\n  x: y\n", put("spec", "volumes", "- name: x"),
			"spec:\n  volumes:\n  - name: x\n  x: y\n",
		},
		{
			"brackets below their key and comments", "spec:\n  volumes: # a\n    # b\n    []\n  x: y\n", add("spec volumes", "name: x"),
			"spec:\n  volumes: # a\n    # b\n  - name: x\n  x: y\n",
		},
		{"null below its key at the end", "spec:\n  volumes:\n    null", put("spec", "volumes", "- name: x"), "spec:\n  volumes:\n  - name: x"},
		{"brackets below their key with a comment", "volumes:\n  [] # none\n", add("volumes", "x"), "volumes: # none\n- x\n"},
		{"null above a comment", "a:\n  # none\nb: c\n", put("", "a", "- x"), "a:\n  # none\n- x\nb: c\n"},
		{"null with an anchor", "a: &v # why\nb: c\n", put("", "a", "[x]"), "a: &v [x] # why\nb: c\n"},
		{"an anchor", "volumes: &v []\n", add("volumes", "x"), "volumes: &v\n- x\n"},
		{
			"null below its anchor and a comment", "volumes: &v\n  # why none\n  null\n", put("", "volumes", "- x"),
			"volumes: &v\n  # why none\n- x\n",
		},
		{"braces in brackets", "a: [{}]\n", put("a 0", "k", "v"), "a: [{k: v}]\n"},
	} {
		e.run(t)
	}
}

func TestValuesBecomeOtherKinds(t *testing.T) {
	for _, e := range []edition{
		{"a scalar", "a: b # c\nd: e\n", put("", "a", "x: z"), "a: # c\n  x: z\nd: e\n"},
		{"a scalar below its key", "a:\n  b\nd: e\n", put("", "a", "x: z"), "a:\n  x: z\nd: e\n"},
		{"a mapping", "a:\n  x: z\nd: e\n", put("", "a", "b"), "a: b\nd: e\n"},
	} {
		e.run(t)
	}
}

func TestCommentsStayWithWhatTheyDescribe(t *testing.T) {
	for _, e := range []edition{
		{"an insert goes above the comments of the entry", "a:\n# about b\n- b\n", prepend("a", "x"), "a:\n- x\n# about b\n- b\n"},
		{
			"an append goes behind the comment of the last entry", "a:\n  - b\n  # after b\nc: d\n", add("a", "x"),
			"a:\n  - b\n  # after b\n  - x\nc: d\n",
		},
		{
			"comments below a compact list belong to it if a blank line follows", "a:\n- b\n# - old\n\n# about c\nc: d\n", add("a", "x"),
			"a:\n- b\n# - old\n- x\n\n# about c\nc: d\n",
		},
		{"comments right above the next key stay with it", "a:\n- b\n# about c\nc: d\n", add("a", "x"), "a:\n- b\n- x\n# about c\nc: d\n"},
		{"the comments of the next key stay with it", "a:\n- b\n\n# about c\nc: d\n", add("a", "x"), "a:\n- b\n- x\n\n# about c\nc: d\n"},
		{
			"a comment inside of the last entry stays there", "a:\n- b: 1\n\n  # c: 2\nd: e\n", add("a", "x"),
			"a:\n- b: 1\n\n  # c: 2\n- x\nd: e\n",
		},
		{
			"an entry in brackets goes before a comment behind the last one", "a: [{name: b}, {name: c} # main\n]\n", add("a", "{name: x}"),
			"a: [{name: b}, {name: c}, {name: x} # main\n]\n",
		},
		{
			"an entry in brackets goes before the last comma", "a: [{name: c}, # main\n]\n", add("a", "{name: x}"),
			"a: [{name: c}, {name: x}, # main\n]\n",
		},
		{
			"an insert in brackets goes above the comments of the entry", "a: [ # all\n  # head b\n  {name: b},\n]\n",
			prepend("a", "{name: x}"), "a: [ # all\n  {name: x},\n  # head b\n  {name: b},\n]\n",
		},
		{
			"an entry takes the place of the one of its name", "a:\n- name: b\n# about c\n- name: c\n  v: 1\n",
			func(t *testing.T, d *node.Node) { at(d, "a").Content = fresh(t, "- name: c\n  v: 2").Content },
			"a:\n# about c\n- name: c\n  v: 2\n",
		},
		{"a comment behind a byte order mark stays", "\ufeff# head\na: b\n", func(t *testing.T, d *node.Node) {
			at(d, "").Content = append(fresh(t, "x: new").Content, at(d, "").Content...)
		}, "\ufeffx: new\n# head\na: b\n"},
		{"an anchor stays with a list that is replaced", "a: &x\n- b\n", put("", "a", "c"), "a: &x c\n"},
		{"a line comment stays", "a:\n- b # one\n", add("a", "x"), "a:\n- b # one\n- x\n"},
	} {
		e.run(t)
	}
}

func TestRemoval(t *testing.T) {
	for _, e := range []edition{
		{"an entry", "a:\n- b\n- c\n", dropAt("a", 0), "a:\n- c\n"},
		{"the last entry without a line end", "a:\n- b\n- c", dropAt("a", 1), "a:\n- b"},
		{"the only entry", "a: # why\n- b\nc: d\n", dropAt("a", 0), "a: [] # why\nc: d\n"},
		{"a key", "a: b\nc:\n- d\ne: f\n", drop("", "c"), "a: b\ne: f\n"},
		{"the first key of an entry", "- a: b\n  c: d\n", drop("0", "a"), "- c: d\n"},
		{"an entry in brackets", "a: [b, c]\n", dropAt("a", 1), "a: [b]\n"},
		{"the first entry in brackets", "a: [b, c]\n", dropAt("a", 0), "a: [c]\n"},
		{"an entry with a comment below", "a:\n- b: c # d\n    # e\n- f\n", dropAt("a", 0), "a:\n- f\n"},
		{"an entry above a comment", "a:\n- b: c\n# d\n- f\n", dropAt("a", 0), "a:\n# d\n- f\n"},
		{"the last entry without a line end, and another", "a:\n- b\n- c", func(t *testing.T, d *node.Node) {
			dropAt("a", 1)(t, d)
			put("", "e", "f")(t, d)
		}, "a:\n- b\ne: f"},
		{"an entry of lines with commas", "a: [\n  # one\n  b,\n  # two\n  c,\n]\n", dropAt("a", 0), "a: [\n  # one\n  # two\n  c,\n]\n"},
		{"the last entry of lines with commas", "a: [\n  b, # one\n  c,\n]\n", dropAt("a", 1), "a: [\n  b, # one\n]\n"},
		{"an entry in brackets over lines", "a: [\n  b, # one\n  c,\n  d # two\n]\n", dropAt("a", 2), "a: [\n  b, # one\n  c # two\n]\n"},
	} {
		e.run(t)
	}
}
