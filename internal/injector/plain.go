package injector

import (
	"fmt"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/node"
)

const (
	// maxDepth is far beyond what a pod's fields need and far below what hurts.
	maxDepth = 100
	// maxAliased bounds the nodes that aliases stand for: a few lines of aliases to
	// aliases stand for billions.
	maxAliased = 100_000
	// maxEntries bounds each list. What goes into a pod is compared with what is there, so the work is the product of both.
	maxEntries = 1000
)

// plain is a copy of a config in which every alias and merge key is replaced by what
// it stands for, without comments and positions; nil after a problem.
func plain(n *yaml.Node, at path, p *problems) *yaml.Node {
	e := expansion{open: map[*yaml.Node]bool{}}
	expanded, found := e.expand(n, at, 0, false)
	if found != nil {
		p.malform(*found)
		return nil
	}
	return expanded
}

// expansion is one walk that makes a config plain.
type expansion struct {
	open    map[*yaml.Node]bool // the anchors that the walk is inside of
	aliased int
}

func (e *expansion) expand(n *yaml.Node, at path, depth int, aliased bool) (*yaml.Node, *problem) {
	if depth > maxDepth {
		return nil, &problem{at: at, message: fmt.Sprintf("this is nested more than %d deep; no pod field is", maxDepth)}
	}
	if n.Kind == yaml.AliasNode {
		return e.expandAlias(n, at, depth)
	}
	if aliased {
		e.aliased++
	}
	if e.aliased > maxAliased {
		return nil, &problem{at: at, message: fmt.Sprintf(
			"the aliases stand for more than %d values; write out what is meant", maxAliased)}
	}
	c := &yaml.Node{Kind: n.Kind, Style: n.Style, Tag: n.Tag, Value: n.Value}
	if n.Kind == yaml.MappingNode {
		return c, e.expandMapping(n, c, at, depth, aliased)
	}
	if len(n.Content) > maxEntries && depth > 1 { // a list of injectors has a message of its own
		return nil, &problem{at: at, message: fmt.Sprintf("this list has %d entries, and at most %d are read; use fewer, or several injectors", len(n.Content), maxEntries)}
	}
	for i, entry := range n.Content {
		expanded, found := e.expand(entry, at.index(i), depth+1, aliased)
		if found != nil {
			return nil, found
		}
		c.Content = append(c.Content, expanded)
	}
	return c, nil
}

func (e *expansion) expandAlias(n *yaml.Node, at path, depth int) (*yaml.Node, *problem) {
	target := n.Alias
	if target == nil || e.open[target] {
		return nil, &problem{at: at, current: "*" + n.Value, message: fmt.Sprintf(
			"the alias *%s stands inside of what it stands for, which has no end; write out what is meant", n.Value)}
	}
	e.open[target] = true
	defer delete(e.open, target)
	return e.expand(target, at, depth+1, true)
}

// expandMapping fills c with n's own pairs, in their order, and behind them with what
// its merge keys bring in: a key that is there already stands.
func (e *expansion) expandMapping(n, c *yaml.Node, at path, depth int, aliased bool) *problem {
	var merged []*yaml.Node
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := node.Resolve(n.Content[i])
		if key == nil || key.Kind != yaml.ScalarNode {
			return &problem{at: at, message: "a key here is a list or a mapping; a key must be a word"}
		}
		value, found := e.expand(n.Content[i+1], at.key(key.Value), depth+1, aliased)
		if found != nil {
			return found
		}
		if key.Tag == "!!merge" {
			merged = append(merged, value)
			continue
		}
		c.Content = append(c.Content, &yaml.Node{Kind: key.Kind, Style: key.Style, Tag: key.Tag, Value: key.Value}, value)
	}
	if len(merged) == 0 {
		return nil
	}
	m := merger{into: c, has: map[string]bool{}}
	for i := 0; i+1 < len(c.Content); i += 2 {
		m.has[c.Content[i].Value] = true
	}
	for _, source := range merged {
		if found := m.merge(source, at.key("<<")); found != nil {
			return found
		}
	}
	return nil
}

// merger adds to a mapping what merge keys bring in.
type merger struct {
	into *yaml.Node
	has  map[string]bool
}

// merge adds a mapping, or a list of them, the first the strongest.
func (m merger) merge(source *yaml.Node, at path) *problem {
	if source.Kind == yaml.MappingNode {
		m.add(source)
		return nil
	}
	if source.Kind == yaml.SequenceNode {
		for i, entry := range source.Content {
			if entry.Kind != yaml.MappingNode {
				return &problem{at: at.index(i), current: entry.Value, message: "a merge key takes mappings; this is none"}
			}
			m.add(entry)
		}
		return nil
	}
	return &problem{at: at, current: source.Value, message: "a merge key takes a mapping, or a list of mappings; this is neither"}
}

func (m merger) add(source *yaml.Node) {
	for i := 0; i+1 < len(source.Content); i += 2 {
		if key := source.Content[i]; !m.has[key.Value] {
			m.has[key.Value] = true
			m.into.Content = append(m.into.Content, key, source.Content[i+1])
		}
	}
}
