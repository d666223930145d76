package injector

import (
	"slices"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/node"
)

const (
	// maxDepth is far more than the fields of a pod need.
	maxDepth = 100
	// maxAliased bounds the nodes that replace aliases: a few lines of aliases to aliases expand to billions.
	maxAliased = 100_000
	// maxEntries bounds each list, because its entries are compared with those of each pod.
	maxEntries = 1000
)

// expandAliases returns a copy of a config with every alias and merge key replaced by its
// value, without comments and positions; nil after a problem.
func expandAliases(n *yaml.Node, at path, p *problems) *yaml.Node {
	e := expansion{problems: p, open: map[*yaml.Node]bool{}}
	return e.expand(n, at, 0, false)
}

// expansion is one walk through a config. It ends at the first problem: each function then returns nil.
type expansion struct {
	*problems
	open    map[*yaml.Node]bool // the anchors that the walk is inside of
	aliased int                 // nodes inside aliases so far
}

func (e *expansion) fail(at path, current, format string, args ...any) *yaml.Node {
	e.malformf(at, current, format, args...)
	return nil
}

func (e *expansion) expand(n *yaml.Node, at path, depth int, aliased bool) *yaml.Node {
	if depth > maxDepth {
		return e.fail(at, "", "this is nested more than %d deep; no pod field is", maxDepth)
	}
	if n.Kind == yaml.AliasNode {
		return e.expandAlias(n, at, depth)
	}
	if aliased {
		e.aliased++
	}
	if e.aliased > maxAliased {
		return e.fail(at, "", "the aliases expand to more than %d values; write the values instead", maxAliased)
	}
	if n.Kind == yaml.MappingNode {
		return e.expandMapping(n, at, depth, aliased)
	}
	if len(n.Content) > maxEntries && depth > 1 { // a list of injectors has a message of its own
		return e.fail(at, "", "this list has %d entries, and at most %d are read; use fewer, or several injectors", len(n.Content), maxEntries)
	}
	c := withoutContent(n)
	for i, entry := range n.Content {
		expanded := e.expand(entry, at.index(i), depth+1, aliased)
		if expanded == nil {
			return nil
		}
		c.Content = append(c.Content, expanded)
	}
	return c
}

func withoutContent(n *yaml.Node) *yaml.Node {
	return &yaml.Node{Kind: n.Kind, Style: n.Style, Tag: n.Tag, Value: n.Value}
}

func (e *expansion) expandAlias(n *yaml.Node, at path, depth int) *yaml.Node {
	target := n.Alias
	if target == nil || e.open[target] {
		return e.fail(at, "*"+n.Value,
			"the alias *%s refers to a value that contains it, which has no end; write the value instead", n.Value)
	}
	e.open[target] = true
	defer delete(e.open, target)
	return e.expand(target, at, depth+1, true)
}

// expandMapping returns a mapping with the pairs of n, in their order, and after them those of its merge keys, except for
// keys that n has itself.
func (e *expansion) expandMapping(n *yaml.Node, at path, depth int, aliased bool) *yaml.Node {
	c := withoutContent(n)
	var merged []*yaml.Node
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := node.Resolve(n.Content[i])
		if key == nil || key.Kind != yaml.ScalarNode {
			return e.fail(at, "", "a key here is a list or a mapping; a key must be a word")
		}
		value := e.expand(n.Content[i+1], at.key(key.Value), depth+1, aliased)
		if value == nil {
			return nil
		}
		if key.Tag != "!!merge" {
			c.Content = append(c.Content, withoutContent(key), value)
			continue
		}
		sources := []*yaml.Node{value}
		if value.Kind == yaml.SequenceNode {
			sources = value.Content
		}
		if slices.ContainsFunc(sources, func(source *yaml.Node) bool { return source.Kind != yaml.MappingNode }) {
			return e.fail(at.key("<<"), value.Value, "a merge key takes a mapping, or a list of mappings; this is neither")
		}
		merged = append(merged, sources...)
	}
	if len(merged) > 0 {
		addMerged(c, merged)
	}
	return c
}

// addMerged adds pairs to a mapping, except for keys that it has already.
func addMerged(mapping *yaml.Node, sources []*yaml.Node) {
	has := map[string]bool{}
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		has[mapping.Content[i].Value] = true
	}
	for _, source := range sources {
		for i := 0; i+1 < len(source.Content); i += 2 {
			if key := source.Content[i]; !has[key.Value] {
				has[key.Value] = true
				mapping.Content = append(mapping.Content, key, source.Content[i+1])
			}
		}
	}
}
