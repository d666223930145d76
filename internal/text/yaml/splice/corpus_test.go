package splice

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"pillion.dev/pillion/internal/text/yaml/node"
)

// corpus is the manifests in testdata, by name.
func corpus(t testing.TB) map[string][]byte {
	t.Helper()
	paths, err := filepath.Glob("testdata/corpus/*")
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string][]byte{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		texts[filepath.Base(path)] = text
	}
	return texts
}

const sidecar = `
name: sidecar
image: envoyproxy/envoy:v1.33.0
args: ["--concurrency", "4", --mode serve, "yes"]
ports:
- containerPort: 15001
  name: proxy
env:
- name: SCRIPT
  value: |
    first line
      second: line # here
- {name: EMPTY, value: ""}
resources:
  limits: {cpu: 1000m, memory: 512Mi}
`

const volume = "name: sidecar-conf\nconfigMap:\n  name: envoy\n  defaultMode: 0644\n"

// operation is an edit of a pod template as transformers make them, and its undoing. Undo is
// given the template as it was before.
type operation struct {
	name string
	do   func(t testing.TB, spec *node.Node)
	undo func(t testing.TB, spec, was *node.Node)
}

var operations = []operation{
	{"append a container", appendTo("containers", sidecar), removeFrom("containers", last)},
	{"put a container first", insertInto("containers", 0, sidecar), removeFrom("containers", 0)},
	{"add a volume", appendTo("volumes", volume), removeFrom("volumes", last)},
	{"add init containers", appendTo("initContainers", sidecar), removeFrom("initContainers", last)},
	{"add a key", setKey("priorityClassName", "high"), resetKey("priorityClassName")},
	{"change a key", setKey("restartPolicy", "Never"), resetKey("restartPolicy")},
	{"add to the first container", inFirst(appendTo("env", "name: X\nvalue: y")), unFirst(removeFrom("env", last))},
	{"put before in the first container", inFirst(insertInto("env", 0, "name: X\nvalue: y")), unFirst(removeFrom("env", 0))},
}

const last = -1

func appendTo(key, entry string) func(testing.TB, *node.Node) { return insertInto(key, last, entry) }

func insertInto(key string, index int, entry string) func(testing.TB, *node.Node) {
	return func(t testing.TB, spec *node.Node) {
		list := own(spec, key)
		if list == nil || list.Kind == node.AliasNode || node.IsNull(list) {
			entries := node.List(spec, key)
			set(spec, key, node.Sequence())
			list = own(spec, key)
			for _, e := range entries {
				list.Content = append(list.Content, node.Fresh(e))
			}
		}
		at := index
		if at == last {
			at = len(list.Content)
		}
		insertAt(list, at, fresh(t, entry))
	}
}

func removeFrom(key string, index int) func(testing.TB, *node.Node, *node.Node) {
	return func(_ testing.TB, spec, was *node.Node) {
		if old := own(was, key); old == nil {
			unset(spec, key)
			return
		} else if old.Kind != node.SequenceNode || len(old.Content) == 0 {
			set(spec, key, unmarked(old))
			return
		}
		list := own(spec, key)
		at := index
		if at == last {
			at = len(list.Content) - 1
		}
		removeAt(list, at, 1)
	}
}

// unmarked is a node as new, but aliases stay aliases.
func unmarked(n *node.Node) *node.Node {
	if n.Kind == node.AliasNode {
		return &node.Node{Kind: n.Kind, Value: n.Value, Content: n.Content}
	}
	return node.Fresh(n)
}

func setKey(key, value string) func(testing.TB, *node.Node) {
	return func(t testing.TB, spec *node.Node) { set(spec, key, fresh(t, value)) }
}

func resetKey(key string) func(testing.TB, *node.Node, *node.Node) {
	return func(_ testing.TB, spec, was *node.Node) {
		if old := own(was, key); old != nil {
			set(spec, key, node.Fresh(old))
			return
		}
		unset(spec, key)
	}
}

func firstContainer(spec *node.Node) *node.Node {
	if list := own(spec, "containers"); list != nil && list.Kind == node.SequenceNode && len(list.Content) > 0 &&
		list.Content[0].Kind == node.MappingNode {
		return list.Content[0]
	}
	return nil
}

func inFirst(do func(testing.TB, *node.Node)) func(testing.TB, *node.Node) {
	return func(t testing.TB, spec *node.Node) {
		if first := firstContainer(spec); first != nil {
			do(t, first)
		}
	}
}

func unFirst(undo func(testing.TB, *node.Node, *node.Node)) func(testing.TB, *node.Node, *node.Node) {
	return func(t testing.TB, spec, was *node.Node) {
		if first := firstContainer(spec); first != nil && firstContainer(was) != nil {
			undo(t, first, firstContainer(was))
		}
	}
}

func everything(t testing.TB, spec *node.Node) {
	for _, i := range []int{0, 2, 3, 4, 5, 6} {
		operations[i].do(t, spec)
	}
}

func undoEverything(t testing.TB, spec, was *node.Node) {
	for _, i := range []int{0, 2, 3, 4, 5, 6} {
		operations[i].undo(t, spec, was)
	}
}

func init() {
	operations = append(operations, operation{"everything at once", everything, undoEverything})
}

// own is the value that the mapping itself has at a key, or nil.
func own(m *node.Node, key string) *node.Node {
	for i := 0; i+1 < len(m.Content); i += 2 {
		if m.Content[i].Value == key {
			return m.Content[i+1]
		}
	}
	return nil
}

// podSpec is the mapping that holds containers.
func podSpec(n *node.Node) *node.Node {
	if n.Kind == node.MappingNode && own(n, "containers") != nil {
		return n
	}
	for _, child := range n.Content {
		if found := podSpec(child); found != nil {
			return found
		}
	}
	return nil
}

func TestCorpusHoldsItsPromise(t *testing.T) {
	texts := corpus(t)
	if len(texts) < 100 {
		t.Fatalf("the corpus has only %d manifests", len(texts))
	}
	for name, text := range texts {
		for _, o := range operations {
			t.Run(name+"/"+o.name, func(t *testing.T) { checkOperation(t, text, o) })
		}
	}
}

// checkOperation makes an edit and takes it back.
func checkOperation(t *testing.T, text []byte, o operation) {
	before := parsed(t, string(text))
	after := parsed(t, string(text))
	o.do(t, podSpec(after))
	edited, err := spliced(text, before, after)
	if err != nil {
		// Text that other text refers to is refused, and rightly.
		if node.SpreadingAlias(after) == nil {
			t.Fatalf("%v in:\n%s", err, text)
		}
		return
	}
	reread := parsed(t, string(edited))
	if !equal(reread, after) {
		t.Fatalf("says something else:\n%s", edited)
	}
	if bytes.Equal(edited, text) {
		return
	}
	checkNothingLost(t, text, edited)
	undone := parsed(t, string(edited))
	o.undo(t, podSpec(undone), podSpec(before))
	restored, err := spliced(edited, reread, undone)
	if err != nil {
		t.Fatalf("undoing: %v in:\n%s", err, edited)
	}
	if !bytes.Equal(restored, text) {
		t.Fatalf("edited:\n%s\nrestored:\n%s\nwanted:\n%s", edited, restored, text)
	}
}

// maxChangedLines is how many lines of a text the edits of one operation begin on: "[]" is
// taken from the line of its key, a comma is put behind an entry.
const maxChangedLines = 5

// checkNothingLost makes sure that the lines of the text are still there, in order, except
// those that the edits begin on.
func checkNothingLost(t *testing.T, text, edited []byte) {
	t.Helper()
	before, after := bytes.Split(text, []byte("\n")), bytes.Split(edited, []byte("\n"))
	if lost := len(before) - commonLines(before, after); lost > maxChangedLines {
		t.Fatalf("%d lines are not the same in:\n%s\nbefore:\n%s", lost, edited, text)
	}
}

// commonLines is the length of the longest common subsequence.
func commonLines(a, b [][]byte) int {
	row := make([]int, len(b)+1)
	for _, x := range a {
		diagonal := 0
		for j, y := range b {
			above := row[j+1]
			if bytes.Equal(x, y) {
				row[j+1] = diagonal + 1
			} else {
				row[j+1] = max(above, row[j])
			}
			diagonal = above
		}
	}
	return row[len(b)]
}
