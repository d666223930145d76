package schema

import (
	"slices"
	"strings"

	"pillion.dev/pillion/internal/text/manifest"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// maxEntries bounds the entries of a list in a config, because each is compared with each pod.
const maxEntries = 1000

// ExpandAliases returns a copy of a config with every alias and merge key replaced by its value, without comments and
// positions; nil after a problem.
func (p *Problems) ExpandAliases(config *node.Node, at Path) *node.Node {
	if config == nil {
		return nil
	}
	if err := manifest.CheckLimits(config); err != nil {
		p.Malformf(at, "", "%s", err)
		return nil
	}
	before := len(p.Malformed)
	expanded := p.withoutAliases(config, at)
	if len(p.Malformed) > before {
		p.Malformed = append(p.Malformed, at) // no part of it is read
		return nil
	}
	return expanded
}

func (p *Problems) withoutAliases(n *node.Node, at Path) *node.Node {
	n = node.Resolve(n)
	c := &node.Node{Kind: n.Kind, Style: n.Style, Tag: n.Tag, Value: n.Value}
	if lower := strings.ToLower(n.Value); n.Tag == node.BoolTag && n.Style == 0 && lower != "true" && lower != "false" {
		c.Tag = node.StrTag // a string such as yes needs no quotes in a config
	}
	// A list of injectors has a message of its own.
	if len(n.Content) > maxEntries && n.Kind == node.SequenceNode && at != "items" {
		p.Malformf(at, "", "this list has %d entries, and at most %d are read; use fewer, or several injectors",
			len(n.Content), maxEntries)
		return c
	}
	if n.Kind != node.MappingNode {
		for i, entry := range n.Content {
			c.Content = append(c.Content, p.withoutAliases(entry, at.Index(i)))
		}
		return c
	}
	has := map[string]bool{}
	for _, from := range append([]*node.Node{n}, node.Sources(n)...) {
		for i := 0; i+1 < len(from.Content); i += 2 {
			key := node.Resolve(from.Content[i])
			value := from.Content[i+1]
			switch {
			case key.Kind != node.ScalarNode:
				p.Malformf(at, "", "a key here is a list or a mapping; a key must be a word")
			case key.Tag == node.MergeTag:
				p.checkMerge(value, at.Key(key.Value))
			case from == n || !has[key.Value]:
				has[key.Value] = true
				c.Content = append(c.Content, p.withoutAliases(key, at), p.withoutAliases(value, at.Key(key.Value)))
			}
		}
	}
	return c
}

func (p *Problems) checkMerge(value *node.Node, at Path) {
	sources := []*node.Node{node.Resolve(value)}
	if sources[0].Kind == node.SequenceNode {
		sources = sources[0].Content
	}
	isNoMapping := func(source *node.Node) bool { return node.Resolve(source).Kind != node.MappingNode }
	if slices.ContainsFunc(sources, isNoMapping) {
		p.Malformf(at, value.Value, "a merge key takes a mapping, or a list of mappings; this is neither")
	}
}
