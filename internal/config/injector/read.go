package injector

import (
	"fmt"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/form"
	"pillion.dev/pillion/internal/config/schema"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// Read reads the injectors of a function config: a SidecarInjector, a list of them, a
// classic ConfigMap or OpenKruise's SidecarSet. It reports all problems at once. If one of them is an error, there
// are no injectors.
func Read(config *node.Node) ([]*Injector, []finding.Finding) {
	if config != nil && config.Kind == node.DocumentNode && len(config.Content) > 0 {
		config = config.Content[0]
	}
	p := &schema.Problems{}
	config = p.ExpandAliases(config, "")
	p.Object = finding.Object{
		APIVersion: node.Text(config, "apiVersion"),
		Kind:       node.Text(config, "kind"),
		Name:       node.Text(config, "metadata", "name"),
	}
	if finding.HasError(p.Findings) {
		return nil, p.All()
	}
	injectors := readInjectors(config, &schema.Decoder{Problems: p})
	if finding.HasError(p.Findings) {
		return nil, p.All()
	}
	return injectors, p.All()
}

// readInjectors decodes, checks and builds the injectors of a config, each for itself and then all of them together.
func readInjectors(config *node.Node, d *schema.Decoder) []*Injector {
	names := schema.FirstUses{}
	patterns := &patterns{}
	var injectors []*Injector
	for _, f := range form.Read(config, d) {
		declared := declare(f, d)
		if f.IsItem {
			d.CheckOnce(names, declared.name, "", schema.NameAt, "%[1]s has this name already; "+ownName)
		}
		injectors = append(injectors, build(d.Problems, declared, patterns))
	}
	together{d.Problems}.check(injectors)
	return injectors
}

// declare decodes a form.
func declare(f form.Form, d *schema.Decoder) declaration {
	fields := node.Get(f.Injector, "spec")
	d.Positions = f.Positions
	d.Injector = node.Text(f.Injector, "metadata", "name")
	d.Version = node.Text(fields, "kubernetesVersion")
	d.Variables = nil
	if !f.Literal {
		d.FindVariables(fields)
	}
	var one v1alpha1.SidecarInjector
	if f.IsDecoded {
		(&schema.Decoder{Problems: &schema.Problems{}}).Decode(f.Injector, &one, "")
	} else {
		d.Decode(f.Injector, &one, "")
	}
	if f.IsItem {
		checkItem(d, "apiVersion", one.APIVersion, v1alpha1.APIVersion)
		checkItem(d, "kind", one.Kind, v1alpha1.Kind)
	}
	return declaration{Form: f, name: one.Metadata.Name, spec: one.Spec, fields: fields, variables: d.Variables}
}

// checkItem checks the apiVersion or the kind of a list's item, which may leave them out.
func checkItem(d *schema.Decoder, at schema.Path, found, want string) {
	if found != "" && found != want {
		d.Refuse(schema.Problem{At: at, Current: found, Proposed: want, Message: fmt.Sprintf(
			"found %s, and the items of this list have %s here; correct it or leave it out", found, want)})
	}
}
