package pod

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/text/encode"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// Get returns a copy of the value at a path in the pod template, as transformers.Pod documents it, or nil.
func (t Template) Get(path ...string) (value any) {
	n := node.Fresh(t.get(path...))
	if n == nil {
		return nil
	}
	node.Visit(n, func(n *node.Node) {
		for i := 0; n.Kind == node.MappingNode && i < len(n.Content); i += 2 {
			n.Content[i].Tag = node.StrTag // also that of 8080
		}
	})
	_ = n.Decode(&value) // what does not fit its tag is nil
	return value
}

// get returns the node at a path, or nil.
func (t Template) get(path ...string) *node.Node {
	at, row := t.Node, Of()
	for _, step := range path {
		if at != nil && at.Kind == node.SequenceNode {
			i := indexOfKey(at, row, step)
			if i < 0 {
				return nil
			}
			at = node.Resolve(at.Content[i])
		} else if at = node.Get(at, step); at == nil {
			return nil
		}
		row = row.Child(step)
	}
	return at
}

// Set sets the value at a path, as Get finds it, and adds missing mappings on the way. The nodes of the template itself
// must be safe to change; those below it are copied.
func (t Template) Set(value any, path ...string) []finding.Finding {
	wanted, findings := t.encode(value, path)
	if len(findings) > 0 {
		return findings
	}
	return t.SetNode(wanted, path...)
}

// SetNode is like Set, for a node that nothing else changes.
func (t Template) SetNode(wanted *node.Node, path ...string) []finding.Finding {
	if node.Equal(t.get(path...), wanted) {
		return nil
	}
	return t.set(wanted, path)
}

// Append adds an entry to the list at a path, as Get finds it, unless the list has an equal one. The list and the
// mappings on the way are added if they are missing.
func (t Template) Append(value any, path ...string) []finding.Finding {
	entry, findings := t.encode(value, path)
	if len(findings) > 0 {
		return findings
	}
	list, row := t.get(path...), Of(path...)
	switch {
	case node.IsNull(list):
		return t.set(node.Sequence(entry), path)
	case list.Kind != node.SequenceNode:
		return t.problemAt(path, "must be a list, but is %s", node.Describe(list))
	}
	if i := row.Find(list.Content, entry); i >= 0 {
		return t.conflict(path, list.Content[i], entry)
	}
	extended := node.Clone(list)
	node.Insert(extended, len(extended.Content), entry)
	return t.set(extended, path)
}

// conflict reports an entry of the list at a path that has the key of the wanted one, and differs from it.
func (t Template) conflict(path []string, present, wanted *node.Node) []finding.Finding {
	if node.Equal(present, wanted) {
		return nil
	}
	row, at := Of(path...), t.pathOf(path)
	code := cmp.Or(row.Taken.Code, finding.InvalidItem)
	findings := problem(code, at, "%s already has a different entry %q; rename one of them", at, row.Key(present))
	findings[0].Field.Current, findings[0].Field.Proposed = node.Brief(present), node.Brief(wanted)
	return findings
}

// encode returns a value as a node that is not shared.
func (t Template) encode(value any, path []string) (*node.Node, []finding.Finding) {
	switch {
	case len(path) == 0:
		return nil, problem(finding.InvalidItem, t.Path, "there is no path to set a value at")
	case path[0] != "metadata" && path[0] != "spec":
		return nil, problem(finding.InvalidItem, t.Path, "a path in a pod template begins with the step metadata or spec, "+
			"and not with %q; give each step by itself", path[0])
	}
	n, err := encode.Node(value)
	if err != nil {
		return nil, problem(finding.InvalidItem, t.pathOf(path), "the value cannot be written: %v", err)
	}
	return n, nil
}

// set sets the value at a path. It changes only clones of the nodes on the way, because these may be shared with the
// original.
func (t Template) set(value *node.Node, path []string) []finding.Finding {
	at, row := t.Node, Of()
	for i, step := range path {
		isLast, index := i == len(path)-1, -1
		switch {
		case at.Kind == node.SequenceNode && row.IsKeyed():
			if index = indexOfKey(at, row, step); index < 0 {
				return t.problemAt(path[:i], "has no entry %q", step)
			}
		case at.Kind != node.MappingNode:
			return t.problemAt(path[:i], "must be a mapping, but is %s", node.Describe(at))
		}
		switch {
		case isLast && index >= 0:
			at.Content[index] = value
		case isLast:
			if present := node.Get(at, step); !node.IsNull(present) && present.Kind != value.Kind && value.Kind == node.ScalarNode {
				return t.problemAt(path, "must be a string, but is %s", node.Describe(present))
			}
			node.Set(at, step, value)
		case index >= 0:
			at = node.OwnEntry(at, index)
		case row.Child(step).IsKeyed() && node.IsNull(node.Get(at, step)):
			return t.problemAt(path[:i+1], "has no entry %q", path[i+1])
		default:
			if step == "metadata" && node.IsNull(node.Get(at, step)) {
				node.SetFirst(at, step, node.Mapping()) // as people write it
			}
			at = node.OwnMapping(at, step)
		}
		row = row.Child(step)
	}
	return nil
}

// problemAt reports what is wrong with the value at a path.
func (t Template) problemAt(path []string, format string, args ...any) []finding.Finding {
	at := t.pathOf(path)
	return problem(finding.InvalidItem, at, "%s %s", at, fmt.Sprintf(format, args...))
}

// pathOf returns a path for findings.
func (t Template) pathOf(path []string) string {
	if len(path) == 3 && path[0] == "metadata" { // keys of labels have dots
		return t.At("metadata." + path[1] + "[" + path[2] + "]")
	}
	return t.At(strings.Join(path, "."))
}

func problem(code finding.Code, path, format string, args ...any) []finding.Finding {
	return []finding.Finding{{
		Severity: finding.Error, Code: code, Message: fmt.Sprintf(format, args...), Field: &finding.Field{Path: path},
	}}
}

// indexOfKey returns the index of the entry of a key, or -1. Entries of lists without keys are found by their index.
func indexOfKey(list *node.Node, row *Row, key string) int {
	if row.IsKeyed() {
		return slices.IndexFunc(list.Content, func(entry *node.Node) bool { return row.Key(entry) == key })
	}
	if i, err := strconv.Atoi(key); err == nil && i >= 0 && i < len(list.Content) {
		return i
	}
	return -1
}
