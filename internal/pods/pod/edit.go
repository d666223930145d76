package transformers

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/encode"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// Get returns the value at a path in the pod template, or nil: a string, a bool, an int, a float64, a map[string]any or a []any. It is a
// copy. A step into a list is the key by which Kubernetes tells
// its entries apart: Get("spec", "containers", "web", "ports", "8080/TCP"). In a list without such a key, it is the index of the
// entry. Get resolves aliases and merge keys.
func (p *Pod) Get(path ...string) (value any) {
	n := node.Fresh(p.get(path...))
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
func (p *Pod) get(path ...string) *node.Node {
	at, row := p.root(), pod.Of()
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

// Set sets the value at a path, as Get finds it, and adds missing mappings on the way. It does nothing if the pod template has an
// equal value there. The value is a Go value that is written by its JSON tags, such as a string or a
// corev1.Container. Set returns an error finding if something on the way is not a mapping, or if a list has no such entry.
// The value is not checked against the Kubernetes types.
func (p *Pod) Set(value any, path ...string) []finding.Finding {
	wanted, findings := p.encode(value, path)
	if len(findings) > 0 || node.Equal(p.get(path...), wanted) {
		return findings
	}
	return p.set(wanted, path)
}

// Append adds an entry to the list at a path, as Get finds it, and adds the list and mappings on the way if they are missing. It
// does nothing if the list has an equal entry, and returns an error finding if it has a different one of the same key. The
// value is as for Set.
func (p *Pod) Append(value any, path ...string) []finding.Finding {
	entry, findings := p.encode(value, path)
	if len(findings) > 0 {
		return findings
	}
	list, row := p.get(path...), pod.Of(path...)
	switch {
	case node.IsNull(list):
		return p.set(node.Sequence(entry), path)
	case list.Kind != node.SequenceNode:
		return p.wrongKind(path, "a list", list)
	}
	if i := row.Find(list.Content, entry); i >= 0 {
		return p.conflict(path, list.Content[i], entry)
	}
	extended := node.Clone(list)
	node.Insert(extended, len(extended.Content), entry)
	return p.set(extended, path)
}

// conflict reports an entry of the list at a path that has the key of the wanted one, and differs from it.
func (p *Pod) conflict(path []string, present, wanted *node.Node) []finding.Finding {
	if node.Equal(present, wanted) {
		return nil
	}
	row, at := pod.Of(path...), p.pathOf(path)
	code := finding.InvalidItem
	if row.Taken.Field != "" {
		code = row.Taken.Code
	}
	findings := problem(code, at, "%s already has a different entry %q; rename one of them", at, row.Key(present))
	findings[0].Field.Current, findings[0].Field.Proposed = node.Brief(present), node.Brief(wanted)
	return findings
}

// encode returns a value as a node that is not shared.
func (p *Pod) encode(value any, path []string) (*node.Node, []finding.Finding) {
	if len(path) == 0 {
		return nil, problem(finding.InvalidItem, p.Path, "there is no path to set a value at")
	}
	switch value := value.(type) {
	case string:
		return node.String(value), nil
	case *node.Node:
		if remaining := maxNodes; !isTree(value, &remaining) {
			return nil, problem(finding.InvalidItem, p.pathOf(path),
				"the value is not a tree of mappings, lists and scalars with at most %d nodes", maxNodes)
		}
		return node.Fresh(value), nil
	}
	n, err := encode.Node(value)
	if err != nil {
		return nil, problem(finding.InvalidItem, p.pathOf(path), "the value cannot be written: %v", err)
	}
	return n, nil
}

// maxNodes limits the size of a value, so that a node that contains itself is found.
const maxNodes = 10_000

// isTree reports whether a node and everything below it is a mapping, list or scalar, and reduces the remaining number of nodes.
func isTree(n *node.Node, remaining *int) bool {
	*remaining--
	if n == nil || *remaining < 0 {
		return false
	}
	switch n.Kind {
	case node.ScalarNode:
		return len(n.Content) == 0
	case node.MappingNode, node.SequenceNode:
		return (n.Kind == node.SequenceNode || len(n.Content)%2 == 0) &&
			!slices.ContainsFunc(n.Content, func(child *node.Node) bool { return !isTree(child, remaining) })
	}
	return false
}

// set sets the value at a path. It changes only clones of the nodes on the way, because these may be shared with the original.
func (p *Pod) set(value *node.Node, path []string) []finding.Finding {
	at, row := p.root(), pod.Of()
	for i, step := range path {
		isLast, index := i == len(path)-1, -1
		switch {
		case at.Kind == node.SequenceNode && row.IsKeyed():
			if index = indexOfKey(at, row, step); index < 0 {
				where := p.pathOf(path[:i])
				return problem(finding.InvalidItem, where, "%s has no entry %q", where, step)
			}
		case at.Kind != node.MappingNode:
			return p.wrongKind(path[:i], "a mapping", at)
		}
		switch {
		case isLast && index >= 0:
			at.Content[index] = value
		case isLast:
			if present := node.Get(at, step); !node.IsNull(present) && present.Kind != value.Kind && value.Kind == node.ScalarNode {
				return p.wrongKind(path, "a string", present)
			}
			node.Set(at, step, value)
		case index >= 0:
			at = node.OwnEntry(at, index)
		default:
			if step == "metadata" && node.IsNull(node.Get(at, step)) {
				node.SetFirst(at, step, node.Mapping()) // as people write it
			}
			at = node.OwnMapping(at, step)
		}
		row = row.Child(step)
	}
	p.changed = true
	return nil
}

func (p *Pod) wrongKind(path []string, wanted string, present *node.Node) []finding.Finding {
	at := p.pathOf(path)
	return problem(finding.InvalidItem, at, "%s must be %s, but is %s", at, wanted, node.Describe(present))
}

// pathOf returns a path for findings.
func (p *Pod) pathOf(path []string) string {
	if len(path) == 3 && path[0] == "metadata" { // keys of labels have dots
		return p.At("metadata." + path[1] + "[" + path[2] + "]")
	}
	return p.At(strings.Join(path, "."))
}

func problem(code finding.Code, path, format string, args ...any) []finding.Finding {
	return []finding.Finding{{
		Severity: finding.Error, Code: code, Message: fmt.Sprintf(format, args...), Field: &finding.Field{Path: path},
	}}
}

// indexOfKey returns the index of the entry of a key, or -1. Entries of lists without keys are found by their index.
func indexOfKey(list *node.Node, row *pod.Row, key string) int {
	if row.IsKeyed() {
		return slices.IndexFunc(list.Content, func(entry *node.Node) bool { return row.Key(entry) == key })
	}
	if i, err := strconv.Atoi(key); err == nil && i >= 0 && i < len(list.Content) {
		return i
	}
	return -1
}
