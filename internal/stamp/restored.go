package stamp

import (
	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/node"
)

// Restored is something that was put back from the text in a stamp.
type Restored struct {
	Owner string // the key of the stamp
	Thing

	node *yaml.Node
}

// note remembers what is put back, so that nothing comes into a pod unsaid. A mapping or list that is there and
// empty again means nothing to Kubernetes.
func (u *undoer) note(owner, path, key string, n *yaml.Node) {
	if _, inAnnotation := inObject(path); inAnnotation || !isEmpty(n) {
		u.Restored = append(u.Restored, Restored{owner, Thing{path, key}, n})
	}
}

// StillIn are the things that were put back and that a later version of the template has, too: what an injector
// replaced again is gone from it.
func (u Undone) StillIn(template *yaml.Node) []Restored {
	if len(u.Restored) == 0 {
		return nil
	}
	there := map[int]bool{}
	collectColumns(template, there)
	var all []Restored
	for _, r := range u.Restored {
		if there[r.node.Column] {
			all = append(all, r)
		}
	}
	return all
}

// Texts tells how the nodes of a version of the template were written that were put back and are still what they were.
// A copy that was made to be changed, and was not, counts as well.
func (u Undone) Texts(template *yaml.Node) map[*yaml.Node]string {
	texts := map[*yaml.Node]string{}
	if len(u.roots) > 0 {
		u.collectTexts(template, texts)
	}
	return texts
}

func (u Undone) collectTexts(n *yaml.Node, texts map[*yaml.Node]string) {
	if text, isRoot := u.roots[n.Column]; isRoot && isRestored(n) && node.Equal(n, u.origins[n.Column]) {
		texts[n] = text
		return
	}
	for _, child := range n.Content {
		u.collectTexts(child, texts)
	}
}

func collectColumns(n *yaml.Node, there map[int]bool) {
	if isRestored(n) {
		there[n.Column] = true
	}
	for _, child := range n.Content {
		collectColumns(child, there)
	}
}

// restored is a node of text that a stamp kept of the mapping or list at a path. Columns that no text has tell it, what is in it and
// copies of them from nodes that are new.
func (u *undoer) restored(path, text string) *yaml.Node {
	original, err := readAt(path, text)
	if err != nil {
		panic(err) // Parse has read it
	}
	n := node.Fresh(original)
	u.number(n, original)
	u.roots[n.Column] = text
	return n
}

func (u *undoer) number(n, original *yaml.Node) {
	n.Column = -1 - len(u.origins)
	u.origins[n.Column] = original
	for i, child := range n.Content {
		u.number(child, original.Content[i])
	}
}
