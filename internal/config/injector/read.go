package injector

import (
	"fmt"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// maxInjectors bounds the injectors of a run, because each is compared with each pod.
const maxInjectors = 1000

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
	injectors := readInjectors(config, &decoder{problems: p})
	if finding.HasError(p.findings) {
		return nil, p.all()
	}
	return injectors, p.all()
}

// readInjectors decodes, checks and builds the injectors of a config, each for itself and then all of them together.
func readInjectors(config *node.Node, d *decoder) []*Injector {
	names := firstUses{}
	patterns := &patterns{}
	var injectors []*Injector
	for _, f := range (formReader{d}).forms(config) {
		declared := declare(f, d)
		if f.isItem {
			d.checkOnce(names, declared.name, "", nameAt, "%[1]s has this name already; "+ownName)
		}
		injectors = append(injectors, build(d.problems, declared, patterns))
	}
	together{d.problems}.check(injectors)
	return injectors
}

// declare decodes a form.
func declare(f form, d *decoder) declaration {
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
		checkItem(d, "apiVersion", one.APIVersion, v1alpha1.APIVersion)
		checkItem(d, "kind", one.Kind, v1alpha1.Kind)
	}
	return declaration{form: f, name: one.Metadata.Name, spec: one.Spec, fields: fields, variables: d.variables}
}

// checkItem checks the apiVersion or the kind of a list's item, which may leave them out.
func checkItem(d *decoder, at path, found, want string) {
	if found != "" && found != want {
		d.refuse(problem{at: at, current: found, proposed: want, message: fmt.Sprintf(
			"found %s, and the items of this list have %s here; correct it or leave it out", found, want)})
	}
}
