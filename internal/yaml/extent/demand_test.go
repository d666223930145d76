package extent

import (
	"testing"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/node"
	"pillion.dev/pillion/internal/yaml/parse"
)

func TestExtentsOnDemandAreTheSame(t *testing.T) {
	for _, text := range texts(t) {
		checkDemand(t, text)
	}
}

// FuzzFindOnDemand compares the extents that are found on demand with those that are found at once.
func FuzzFindOnDemand(f *testing.F) {
	for _, text := range texts(f) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) { checkDemand(t, text) })
}

func checkDemand(t *testing.T, text []byte) {
	arena := new(parse.Arena)
	document, err := arena.Document(text)
	if err != nil || !arena.HasRead(document, text) {
		return
	}
	all, err := Find(text, document, nil)
	if err != nil {
		t.Fatalf("%q cannot be followed: %v", text, err)
	}
	demanded := FindOnDemand(text, document, nil, nil)
	node.Visit(document, func(n *yaml.Node) {
		if demanded.Get(n) != all.Get(n) {
			t.Errorf("%q: line %d, column %d: %+v, want %+v", text, n.Line, n.Column, demanded.Get(n), all.Get(n))
		}
		for i := range n.Content {
			isChild := n.Kind == yaml.SequenceNode || n.Kind == yaml.MappingNode && i%2 == 0
			if isChild && n.Style&yaml.FlowStyle == 0 && demanded.ChildStart(n, i) != all.ChildStart(n, i) {
				t.Errorf("%q: child %d of line %d begins at %d, want %d", text, i, n.Line, demanded.ChildStart(n, i), all.ChildStart(n, i))
			}
		}
	})
}

func texts(t testing.TB) (texts [][]byte) {
	t.Helper()
	for _, text := range corpus(t) {
		texts = append(texts, text)
	}
	for _, text := range []string{
		"a:\n- b: c\n  d: e\n- f\ng: h\n", "a:\n  - b\n  -\n    c: d\n  - - e\n    - f\ng:\nh: i\n", "a: |+\n  b\n\n\nc: d\ne:\n",
		"a: b\n  c\n  d\ne: f\n", "- é: é # é\n  b: \"é\"\n- c: d\n", "a:\n\n  # c\n  b: c\n\n# d\ne: f", "---\na: 1\nb:\n-\n-\nc: x",
		"-\n  a\n-\n  # b\n  c\n- # d\n  e: f\n- 'g'#h\n", "a: {b: c,\n  d: e}\nf: [\n1]\n", "a:\r\n- |\r\n b\r\n- c\r\n",
		"\"a\" : b\nc   :   d\n",
	} {
		texts = append(texts, []byte(text))
	}
	return texts
}
