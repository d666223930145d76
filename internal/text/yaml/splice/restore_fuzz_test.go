package splice

import (
	"bytes"
	"fmt"
	"testing"

	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/text/edit"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// replacements are what values are replaced by.
var replacements = []string{"new", "- a\n- b: c\n", "a: b\nc:\n- d\n", "[a]", "{a: b}", "|\n  two\n  lines\n", "null"}

// oddities are ways to write values that people use, and tools do, but tutorials do not.
var oddities = []string{
	"a:\n  []\nb: c\n", "a:\n  {} # none\nb: c\n", "a: [\n]\nb: c\n", "a: [\n] # none\n",
	"a:\n  # none\nb: c\n", "a: &x\nb: c\n", "a: &x # why\n", "a:\n  # none", "a:   x  # why\n", "a: |\n  b\n\n  c\nd: e\n",
	"a: >- # why\n  b\n   c\nd: e",
	"- |\n b\n- c\n", "a:\n-   b: c # d\n    e: f\n- g: h\n", "a:\n-\n  b: c\n- # why\n  d: e\n",
	"a:\n- b: c\n  \n  # why\n \n  d: e\n", "- {a: b} # why\n  # below\n- c\n",
	"a: { }\n", "a: \"b\n  c\"\n", "a:\n  b\n  c\nd: e\n", "a:\n  # why\n  - b # c\n  - d\ne: f", "a: *x\n", "a: !!seq []\n",
	"a: b # c", "a:\r\n  []\r\nb: c\r\n",
}

// FuzzRestore replaces one value at any place of any text, and puts it back as it was written. It may
// refuse, but not say anything else than before. Keys that are not strings to kubectl, such as null or a plain
// y, are left out: workloads that have any are refused.
func FuzzRestore(f *testing.F) {
	for _, text := range append(oddities, "a: # why\n  []\nb: c\n", "a:\n  # why\n  []\n") { // which come back on the line of the key
		for i := range replacements {
			f.Add([]byte(text), uint8(i), uint16(i%2))
		}
	}
	f.Fuzz(func(t *testing.T, text []byte, with uint8, place uint16) {
		before, back, err := restoring(t, text, int(with), int(place))
		if read := single(back); err == nil && before != nil && !isOdd(before) && (read == nil || !equal(read, before)) {
			t.Errorf("from:\n%q\nit says something else:\n%q", text, back)
		}
	})
}

func TestWhatWasReplacedComesBackAsItWas(t *testing.T) {
	texts := corpus(t)
	for i, text := range oddities {
		texts[fmt.Sprint("odd", i)] = []byte(text)
	}
	for name, text := range texts {
		t.Run(name, func(t *testing.T) {
			for i := range 30 {
				before, back, err := restoring(t, text, i, 7*i)
				if before == nil || !isPlain(slotsIn(before, nil)[7*i%len(slotsIn(before, nil))].value(), 0) {
					continue
				}
				if err != nil || !bytes.Equal(back, text) {
					t.Errorf("from:\n%s\nrestored:\n%s\n%v", text, back, err)
				}
			}
		})
	}
}

// restoring replaces a value and puts it back. Before is nil where that is refused, or where the text
// is left with a line end that it had not.
func restoring(t *testing.T, text []byte, with, place int) (before *node.Node, back []byte, err error) {
	if before = single(text); before == nil {
		return nil, nil, nil
	}
	slots := slotsIn(before, nil)
	if len(slots) == 0 {
		return nil, nil, nil
	}
	target := place % len(slots)
	was := ReadTexts(text, before, stamp.CanRecord)(slots[target].value())
	after := single(text)
	slotsIn(after, nil)[target].set(fresh(t, replacements[with%len(replacements)]))
	edited, err := spliced(text, before, after)
	if err != nil || bytes.HasSuffix(edited, []byte("\n")) != bytes.HasSuffix(text, []byte("\n")) {
		return nil, nil, nil //nolint:nilerr // what cannot be edited in place is not tested here
	}
	reread := single(edited)
	if reread == nil || !equal(reread, after) {
		t.Fatalf("says something else:\n%q", edited)
	}
	undone, restored := single(edited), &node.Node{Kind: node.ScalarNode, Tag: node.NullTag}
	if read := single([]byte(was + "\n")); read != nil {
		restored = node.Fresh(read.Content[0])
	}
	slotAt(undone, before, target).set(restored)
	edits, err := Edits(edited, reread, undone, Past{Texts: map[*node.Node]string{restored: was}})
	return before, edit.Apply(edited, edits), err
}

// isPlain tells whether there are no anchors, tags and aliases inside of a node, which stamps do not keep.
func isPlain(n *node.Node, depth int) bool {
	if n.Kind == node.AliasNode || n.Style&node.TaggedStyle != 0 || n.IsAnchored && depth > 0 {
		return false
	}
	for _, child := range n.Content {
		if !isPlain(child, depth+1) {
			return false
		}
	}
	return true
}

// isOdd reports whether a tree has a key that manifests may not have, or a tag that is not one of YAML, which does not
// come back.
func isOdd(n *node.Node) bool {
	if n.Tag == node.OtherTag {
		return true
	}
	for i, child := range n.Content {
		if n.Kind == node.MappingNode && i%2 == 0 {
			if name, ok := node.KeyName(child); !ok || name != child.Value {
				return true
			}
		}
		if isOdd(child) {
			return true
		}
	}
	return false
}

// slot is where a value stands.
type slot struct {
	parent *node.Node
	index  int
}

func (s slot) value() *node.Node { return s.parent.Content[s.index] }

func (s slot) set(n *node.Node) { s.parent.Content[s.index] = n }

// slotsIn are the places of the values of mappings and of the entries of lists.
func slotsIn(n *node.Node, found []slot) []slot {
	for i, child := range n.Content {
		if n.Kind == node.SequenceNode || n.Kind == node.MappingNode && i%2 == 1 {
			found = append(found, slot{n, i})
		}
		found = slotsIn(child, found)
	}
	return found
}

// slotAt finds the slot of an index in another document, in which its value is another.
func slotAt(document, like *node.Node, target int) slot {
	var find func(n, l *node.Node) (slot, bool)
	wanted := slotsIn(like, nil)[target]
	find = func(n, l *node.Node) (slot, bool) {
		if l == wanted.parent {
			return slot{n, wanted.index}, true
		}
		for i, child := range l.Content {
			if i < len(n.Content) {
				if found, ok := find(n.Content[i], child); ok {
					return found, true
				}
			}
		}
		return slot{}, false
	}
	found, _ := find(document, like)
	return found
}
