package injector

import (
	"fmt"
	"slices"
	"strings"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/text/manifest"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// Limits of a config, because each injector, and each entry of its lists, is compared with each pod.
const (
	maxInjectors = 1000
	maxEntries   = 1000
)

// Read reads the injectors of a function config: a SidecarInjector, a list of them, a
// classic ConfigMap or OpenKruise's SidecarSet. It reports all problems at once. If one of them is an error, there
// are no injectors.
func Read(config *node.Node) ([]*Injector, []finding.Finding) {
	if config != nil && config.Kind == node.DocumentNode && len(config.Content) > 0 {
		config = config.Content[0]
	}
	p := &problems{varying: map[path]bool{}}
	config = p.expandAliases(config, "")
	p.object = finding.Object{
		APIVersion: node.Text(config, "apiVersion"),
		Kind:       node.Text(config, "kind"),
		Name:       node.Text(config, "metadata", "name"),
	}
	switch {
	case finding.HasError(p.findings):
		return nil, p.all()
	case isAbsent(config):
		p.malformf("", "", "%s", noConfig)
		return nil, p.all()
	}
	injectors := (&decoder{problems: p}).readInjectors(config)
	if finding.HasError(p.findings) {
		return nil, p.all()
	}
	return injectors, p.all()
}

// readInjectors decodes, checks and builds the injectors of a config, each for itself and then all of them together.
func (d *decoder) readInjectors(config *node.Node) []*Injector {
	names := firstUses{}
	var injectors []*Injector
	for _, f := range d.forms(config) {
		declared := d.declare(f)
		if f.isItem {
			d.checkOnce(names, declared.name, "", nameAt, "%[1]s has this name already; "+ownName)
		}
		injectors = append(injectors, build(d.problems, declared))
	}
	d.checkTogether(injectors)
	return injectors
}

// declare decodes a form.
func (d *decoder) declare(f form) declaration {
	fields := node.Get(f.injector, "spec")
	d.positions = f.positions
	d.injector = node.Text(f.injector, "metadata", "name")
	d.version = node.Text(fields, "kubernetesVersion")
	d.variables = nil
	if !f.literal {
		d.findVariables(fields)
	}
	var one v1alpha1.SidecarInjector
	if f.isDecoded {
		(&decoder{problems: &problems{}}).decode(f.injector, &one, "")
	} else {
		d.decode(f.injector, &one, "")
	}
	if f.isItem {
		d.checkItem("apiVersion", one.APIVersion, v1alpha1.APIVersion)
		d.checkItem("kind", one.Kind, v1alpha1.Kind)
	}
	return declaration{form: f, name: one.Metadata.Name, spec: one.Spec, fields: fields, variables: d.variables}
}

// checkItem checks the apiVersion or the kind of a list's item, which may leave them out.
func (d *decoder) checkItem(at path, found, want string) {
	if found != "" && found != want {
		d.refuse(problem{at: at, current: found, proposed: want, message: fmt.Sprintf(
			"found %s, and the items of this list have %s here; correct it or leave it out", found, want)})
	}
}

// expandAliases returns a copy of a config with every alias and merge key replaced by its value, without comments and
// positions; nil after a problem.
func (p *problems) expandAliases(config *node.Node, at path) *node.Node {
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

func (p *problems) withoutAliases(n *node.Node, at path) *node.Node {
	n = node.Resolve(n)
	c := &node.Node{Kind: n.Kind, Style: n.Style, Tag: n.Tag, Value: n.Value}
	if lower := strings.ToLower(n.Value); n.Tag == node.BoolTag && n.Style == 0 && lower != "true" && lower != "false" {
		c.Tag = node.StrTag // a string such as yes needs no quotes in a config
	}
	// A list of injectors has a message of its own.
	if len(n.Content) > maxEntries && n.Kind == node.SequenceNode && at != "items" {
		p.malformf(at, "", "this list has %d entries, and at most %d are read; use fewer, or several injectors",
			len(n.Content), maxEntries)
		return c
	}
	if n.Kind != node.MappingNode {
		for i, entry := range n.Content {
			c.Content = append(c.Content, p.withoutAliases(entry, at.index(i)))
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
				p.malformf(at, "", "a key here is a list or a mapping; a key must be a word")
			case key.Tag == node.MergeTag:
				p.checkMerge(value, at.key(key.Value))
			case from == n || !has[key.Value]:
				has[key.Value] = true
				c.Content = append(c.Content, p.withoutAliases(key, at), p.withoutAliases(value, at.key(key.Value)))
			}
		}
	}
	return c
}

func (p *problems) checkMerge(value *node.Node, at path) {
	sources := []*node.Node{node.Resolve(value)}
	if sources[0].Kind == node.SequenceNode {
		sources = sources[0].Content
	}
	isNoMapping := func(source *node.Node) bool { return node.Resolve(source).Kind != node.MappingNode }
	if slices.ContainsFunc(sources, isNoMapping) {
		p.malformf(at, value.Value, "a merge key takes a mapping, or a list of mappings; this is neither")
	}
}
