package injector

import (
	"slices"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/manifest"
	"pillion.dev/pillion/internal/yaml/node"
)

// expandAliases returns a copy of a config with every alias and merge key replaced by its value, without comments and positions; nil
// after a problem.
func (p *problems) expandAliases(config *yaml.Node, at path) *yaml.Node {
	if config == nil {
		return nil
	}
	if err := manifest.CheckLimits(config); err != nil {
		p.malformf(at, "", "%s", err)
		return nil
	}
	before := len(p.malformed)
	expanded := p.withoutAliases(config, at)
	if len(p.malformed) > before {
		p.malformed = append(p.malformed, at) // no part of it is read
		return nil
	}
	return expanded
}

func (p *problems) withoutAliases(n *yaml.Node, at path) *yaml.Node {
	n = node.Resolve(n)
	c := &yaml.Node{Kind: n.Kind, Style: n.Style, Tag: n.Tag, Value: n.Value}
	if n.Kind != yaml.MappingNode {
		for i, entry := range n.Content {
			c.Content = append(c.Content, p.withoutAliases(entry, at.index(i)))
		}
		return c
	}
	has := map[string]bool{}
	for _, from := range append([]*yaml.Node{n}, node.Sources(n)...) {
		for i := 0; i+1 < len(from.Content); i += 2 {
			key, value := node.Resolve(from.Content[i]), from.Content[i+1]
			switch {
			case key.Kind != yaml.ScalarNode:
				p.malformf(at, "", "a key here is a list or a mapping; a key must be a word")
			case key.Tag == "!!merge":
				p.checkMerge(value, at.key(key.Value))
			case from == n || !has[key.Value]:
				has[key.Value] = true
				c.Content = append(c.Content, p.withoutAliases(key, at), p.withoutAliases(value, at.key(key.Value)))
			}
		}
	}
	return c
}

func (p *problems) checkMerge(value *yaml.Node, at path) {
	sources := []*yaml.Node{node.Resolve(value)}
	if sources[0].Kind == yaml.SequenceNode {
		sources = sources[0].Content
	}
	if slices.ContainsFunc(sources, func(source *yaml.Node) bool { return node.Resolve(source).Kind != yaml.MappingNode }) {
		p.malformf(at, value.Value, "a merge key takes a mapping, or a list of mappings; this is neither")
	}
}
