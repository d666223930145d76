package splice

import (
	"bytes"
	"regexp"
	"testing"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/node"
	"pillion.dev/pillion/internal/stamp"
)

// replacements are what values are replaced by.
var replacements = []string{"new", "- a\n- b: c\n", "a: b\nc:\n- d\n", "[a]", "{a: b}", "|\n  two\n  lines\n", "null"}

// oddities are ways to write values that people use, and tools do, but tutorials do not.
var oddities = []string{
	"a:\n  []\nb: c\n", "a:\n  {} # none\nb: c\n", "a: # why\n  []\nb: c\n", "a: [\n]\nb: c\n", "a: [\n] # none\n",
	"a:\n  # none\nb: c\n", "a: &x\nb: c\n", "a: &x # why\n", "a:\n  # none", "a:   x  # why\n", "a: |\n  b\n\n  c\nd: e\n", "a: >- # why\n  b\n   c\nd: e",
	"- |\n b\n- c\n", "a:\n-   b: c # d\n    e: f\n- g: h\n", "a:\n-\n  b: c\n- # why\n  d: e\n", "a:\n- b: c\n  \n  # why\n \n  d: e\n", "- {a: b} # why\n  # below\n- c\n",
	"a: { }\n", "a: \"b\n  c\"\n", "a:\n  b\n  c\nd: e\n", "a:\n  # why\n  - b # c\n  - d\ne: f", "a: *x\n", "a: !!seq []\n", "a: b # c", "a:\r\n  []\r\nb: c\r\n",
}

// FuzzRestore replaces one value at any place of any text, and puts it back as it was written.
func FuzzRestore(f *testing.F) {
	for _, text := range oddities {
		for i := range replacements {
			f.Add([]byte(text), uint8(i), uint16(0))
			f.Add([]byte(text), uint8(i), uint16(1))
		}
	}
	f.Fuzz(checkRestoring)
}

func TestCorpusIsRestored(t *testing.T) {
	for name, text := range corpus(t) {
		t.Run(name, func(t *testing.T) {
			for place := range uint16(60) {
				checkRestoring(t, text, uint8(place), 5*place)
			}
		})
	}
}

func checkRestoring(t *testing.T, text []byte, with uint8, place uint16) {
	before := single(text)
	if before == nil {
		return
	}
	slots := slotsIn(before, nil)
	if len(slots) == 0 {
		return
	}
	target := int(place) % len(slots)
	slot := slots[target]
	was := stamp.Written(text, before)(slot.value())
	after := node.Copy(before)
	slotsIn(after, nil)[target].set(fresh(t, replacements[int(with)%len(replacements)]))
	edited, err := Splice(text, before, after)
	if err != nil {
		return
	}
	reread := single(edited)
	if reread == nil || !equal(reread, after) {
		t.Fatalf("says something else:\n%q", edited)
	}
	read := single([]byte(was + "\n"))
	if read == nil {
		return // it is null
	}
	undone, restored := node.Copy(reread), node.Fresh(read.Content[0])
	slotAt(undone, before, target).set(restored)
	back, err := Restore(edited, reread, undone, Past{Texts: map[*yaml.Node]string{restored: was}})
	if err != nil && bytes.ContainsAny(text, "&!") {
		return // refusing is right, as long as it is not wrong
	}
	if err != nil {
		t.Fatalf("from:\n%q\nedited:\n%q\nrestoring %q: %v", text, edited, was, err)
	}
	if !bytes.Equal(back, text) && isPlain(slot.value(), 0) && usualLineEnds(text) && bytes.HasSuffix(edited, []byte("\n")) == bytes.HasSuffix(text, []byte("\n")) {
		t.Fatalf("from:\n%q\nedited:\n%q\nrestored, with %q:\n%q", text, edited, was, back)
	}
}

var trailingBlanks = regexp.MustCompile(`[^ \r\n] +(\r?\n|$)`)

// usualLineEnds tells whether all lines end in the same way, and in one that stamps keep.
func usualLineEnds(text []byte) bool {
	if trailingBlanks.Match(text) {
		return false
	}
	full := bytes.Count(text, []byte("\r\n"))
	return !bytes.ContainsAny(text, "\u0085\u2028\u2029\t") && bytes.Count(text, []byte("\r")) == full && (full == 0 || bytes.Count(text, []byte("\n")) == full)
}

// isPlain tells whether there are no anchors, tags and aliases inside of a node, which stamps do not keep.
func isPlain(n *yaml.Node, depth int) bool {
	if n.Kind == yaml.AliasNode || n.Style&yaml.TaggedStyle != 0 || n.Anchor != "" && depth > 0 {
		return false
	}
	for _, child := range n.Content {
		if !isPlain(child, depth+1) {
			return false
		}
	}
	return true
}

// slot is where a value stands.
type slot struct {
	parent *yaml.Node
	index  int
}

func (s slot) value() *yaml.Node { return s.parent.Content[s.index] }

func (s slot) set(n *yaml.Node) { s.parent.Content[s.index] = n }

// slotsIn are the places of the values of mappings and of the entries of lists.
func slotsIn(n *yaml.Node, found []slot) []slot {
	for i, child := range n.Content {
		if n.Kind == yaml.SequenceNode || n.Kind == yaml.MappingNode && i%2 == 1 {
			found = append(found, slot{n, i})
		}
		found = slotsIn(child, found)
	}
	return found
}

// slotAt finds the slot of an index in another document, in which its value is another.
func slotAt(document, like *yaml.Node, target int) slot {
	var find func(n, l *yaml.Node) (slot, bool)
	wanted := slotsIn(like, nil)[target]
	find = func(n, l *yaml.Node) (slot, bool) {
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
