package pod

import (
	"strconv"
	"strings"

	"pillion.dev/pillion/internal/text/yaml/node"
)

// Own returns the same template inside a copy of its workload, and makes it safe to change there: aliases and merge
// keys on the way are written out.
func (t Template) Own(workload *node.Node, clones *node.Clones) Template {
	if t.IsBare {
		templates := clones.OwnEntry(workload, wrappedIndex(workload))
		t.Node = clones.OwnEntry(templates, t.index)
	} else {
		t.Node = follow(workload, t.Path, clones.Own, clones.OwnEntry)
	}
	clones.Own(t.Node, "spec")
	return t
}

// Copy returns a copy of the template that is safe to change.
func (t Template) Copy() Template {
	t.Node = node.Clone(t.Node)
	node.Own(t.Node, "spec")
	return t
}

// OwnAgain makes a template that Own returned safe to change once more, so that what was read from it before stays as
// it is. The content of its own mapping is not part of that.
func (t Template) OwnAgain() { node.Own(t.Node, "spec") }

// In returns the same template inside another version of its workload, for reading until that version changes.
func (t Template) In(workload *node.Node) Template {
	t.Node = t.in(workload)
	return t
}

func (t Template) in(workload *node.Node) *node.Node {
	if t.IsBare {
		return workload.Content[wrappedIndex(workload)].Content[t.index]
	}
	return see(workload, t.Path)
}

// Snapshot returns the template as it is now. Later changes do not show.
func (t Template) Snapshot(clones *node.Clones) Template {
	t.Node = clones.Clone(t.Node)
	return t
}

// see follows a path that exists, for reading.
func see(from *node.Node, path string) *node.Node {
	return follow(from, path,
		func(n *node.Node, key string) *node.Node { return node.Get(n, key) },
		func(n *node.Node, i int) *node.Node { return node.Resolve(n.Content[i]) })
}

// follow follows a path that walk made, with functions for fields and for entries of lists.
func follow(at *node.Node, path string, field func(*node.Node, string) *node.Node, entry func(*node.Node, int) *node.Node) *node.Node {
	for step := range strings.SplitSeq(path, ".") {
		if step == "" {
			continue
		}
		name, index, isEntry := strings.Cut(strings.TrimSuffix(step, "]"), "[")
		at = field(at, name)
		if isEntry {
			i, _ := strconv.Atoi(index)
			at = entry(at, i)
		}
	}
	return at
}
