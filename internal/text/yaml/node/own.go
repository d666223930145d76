package node

import (
	"cmp"
	"slices"
)

// Clone returns a copy of a node with a list of children of its own. The children are shared with the original.
func Clone(n *Node) *Node {
	c := *n
	c.Content = slices.Clone(n.Content)
	return &c
}

// Clones makes clones in memory that is used again, like that of the nodes of one document after another.
type Clones struct {
	cells []*cell
	used  int
}

// cell is the memory of a node and its list of children.
type cell struct {
	node     Node
	children []*Node
}

// Reset ends the use of all clones.
func (c *Clones) Reset() { c.used = 0 }

// Clone is like the function Clone. Without Clones, the memory is new.
func (c *Clones) Clone(n *Node) *Node {
	if c == nil || n.Content == nil {
		return Clone(n)
	}
	if c.used == len(c.cells) {
		c.cells = append(c.cells, new(cell))
	}
	to := c.cells[c.used]
	c.used++
	to.node, to.children = *n, append(to.children[:0], n.Content...)
	to.node.Content = to.children
	return &to.node
}

// Own replaces the value of a key by a clone, which is safe to change, and returns it. An alias, or a value from a
// merge key, is replaced by a copy. The mapping must be safe to change already. Own returns nil if the mapping has no
// such key.
func (c *Clones) Own(m *Node, key string) *Node {
	if i := Index(m, key); i >= 0 {
		return c.OwnEntry(m, i+1)
	}
	value := Fresh(Get(m, key))
	if value != nil {
		Set(m, key, value)
	}
	return value
}

// Own is like the method of Clones, with new memory.
func Own(m *Node, key string) *Node { return (*Clones)(nil).Own(m, key) }

// OwnEntry is like Own for an entry of a sequence, or for any child by its index.
func (c *Clones) OwnEntry(parent *Node, i int) *Node {
	if child := parent.Content[i]; child.Kind == AliasNode {
		parent.Content[i] = Fresh(child)
	} else {
		parent.Content[i] = c.Clone(child)
	}
	return parent.Content[i]
}

// OwnEntry is like the method of Clones, with new memory.
func OwnEntry(parent *Node, i int) *Node { return (*Clones)(nil).OwnEntry(parent, i) }

// OwnDocument returns a version of a document that can be changed, and the object in it, which may be the only entry of
// a list.
func (c *Clones) OwnDocument(document *Node) (copied, object *Node) {
	copied = c.Clone(document)
	object = c.OwnEntry(copied, 0)
	if object.Kind == SequenceNode {
		object = c.OwnEntry(object, 0)
	}
	return copied, object
}

// Replaced returns a version of a tree with other nodes in place of those for which a function returns them, and not
// nil. What does not change is shared with the original, and aliases stay as they are.
func Replaced(n *Node, by func(*Node) *Node) *Node {
	if other := by(n); other != nil || n.Kind == AliasNode {
		return cmp.Or(other, n)
	}
	made := n
	for i, child := range n.Content {
		if other := Replaced(child, by); other != child {
			if made == n {
				made = Clone(n)
			}
			made.Content[i] = other
		}
	}
	return made
}

// OwnMapping is like Own, except that it adds an empty mapping if the key is missing or null.
func OwnMapping(m *Node, key string) *Node {
	value := Own(m, key)
	if IsNull(value) {
		value = Mapping()
		Set(m, key, value)
	}
	return value
}

// Set gives a key a value. A key that the mapping does not have goes to the end.
func Set(m *Node, key string, value *Node) {
	if i := Index(m, key); i >= 0 {
		m.Content[i+1] = value
		return
	}
	m.Content = append(m.Content, String(key), value)
}

// SetFirst is like Set, except that a key that the mapping does not have goes to the front.
func SetFirst(m *Node, key string, value *Node) {
	if Index(m, key) < 0 {
		m.Content = append([]*Node{String(key), value}, m.Content...)
	}
	Set(m, key, value)
}

// Delete removes a key from a mapping. If a merge key has it too, the key becomes null, which means the same.
func Delete(m *Node, key string) {
	if i := Index(m, key); i >= 0 {
		m.Content = append(m.Content[:i:i], m.Content[i+2:]...)
	}
	if Get(m, key) != nil {
		Set(m, key, &Node{Kind: ScalarNode, Tag: NullTag, Value: "null"})
	}
}

// DeleteEntries deletes some entries of a list of a mapping, and the list if none is left. The list itself is not
// changed.
func DeleteEntries(m *Node, key string, isDeleted func(entry *Node) bool) {
	list := Get(m, key)
	if list == nil || list.Kind != SequenceNode {
		return
	}
	kept := slices.DeleteFunc(slices.Clone(list.Content), isDeleted)
	if len(kept) == 0 {
		Delete(m, key)
	} else if len(kept) < len(list.Content) {
		Set(m, key, Sequence(kept...))
	}
}

// Insert inserts an entry into a sequence, which must be safe to change.
func Insert(s *Node, at int, entry *Node) {
	s.Content = append(s.Content, nil) // slices.Insert allocates a list for the entry
	copy(s.Content[at+1:], s.Content[at:])
	s.Content[at] = entry
}

// SpreadingAlias returns the first alias of a changed version whose anchor is missing, or has another content than in
// the original, or nil. Such a change spreads to the place of the alias.
func SpreadingAlias(after *Node) (spreading *Node) {
	anchored := map[int32]*Node{}
	Visit(after, func(n *Node) {
		if n.IsAnchored {
			anchored[n.Start] = n
		}
		if n.Kind != AliasNode || spreading != nil {
			return
		}
		if original := n.Content[0]; !Equal(original, anchored[original.Start]) { // the anchor is above the alias
			spreading = n
		}
	})
	return spreading
}

// Visit calls a function for a node and all nodes inside of it, in the order of the text. It does not follow aliases.
func Visit(n *Node, see func(*Node)) {
	see(n)
	if n.Kind == AliasNode {
		return
	}
	for _, child := range n.Content {
		Visit(child, see)
	}
}

// Weight returns how many bytes a node takes at least when it is written.
func Weight(n *Node) int {
	weight := 0
	Visit(n, func(n *Node) { weight += len(n.Value) + 2 })
	return weight
}
