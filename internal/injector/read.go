package injector

import (
	"fmt"
	"reflect"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/sidecarset"
	"pillion.dev/pillion/internal/yaml/node"
)

// maxInjectors bounds a list: each injector looks at each pod.
const maxInjectors = 1000

// Read makes injectors from a function config: a SidecarInjector, a list of them, a
// classic ConfigMap or OpenKruise's SidecarSet. All that is wrong is found in one go; where anything is, there
// are no injectors. Warnings come with injectors.
func Read(config *yaml.Node) ([]*Injector, []finding.Finding) {
	if config != nil && config.Kind == yaml.DocumentNode && len(config.Content) > 0 {
		config = config.Content[0]
	}
	p := &problems{}
	var injectors []*Injector
	if config != nil {
		p.object = identity(config)
		config = plain(config, "", p)
	}
	switch {
	case finding.HasError(p.findings):
	case isAbsent(config):
		p.malform(problem{message: howToGiveOne})
	default:
		p.object = identity(config)
		injectors = readKind(config, newDecoder(p))
	}
	if finding.HasError(p.findings) {
		return nil, p.all()
	}
	return injectors, p.all()
}

// identity is what a config says that it is. It looks at no alias: those are not
// known to be harmless before the config is plain.
func identity(config *yaml.Node) finding.Object {
	return finding.Object{
		APIVersion: ownText(config, "apiVersion"),
		Kind:       ownText(config, "kind"),
		Name:       ownText(own(config, "metadata"), "name"),
	}
}

func own(mapping *yaml.Node, key string) *yaml.Node {
	if mapping == nil || mapping.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == key {
			return mapping.Content[i+1]
		}
	}
	return nil
}

func ownText(mapping *yaml.Node, key string) string {
	if value := own(mapping, key); value != nil && value.Kind == yaml.ScalarNode && !node.IsNull(value) {
		return value.Value
	}
	return ""
}

func readKind(config *yaml.Node, d *decoder) []*Injector {
	if !d.hasShape(config, reflect.TypeFor[v1alpha1.SidecarInjector](), "") {
		return nil
	}
	switch [2]string{d.object.APIVersion, d.object.Kind} {
	case [2]string{v1alpha1.APIVersion, v1alpha1.Kind}:
		var one v1alpha1.SidecarInjector
		d.injector = d.object.Name
		d.findVariables(node.Get(config, "spec"), specAt)
		d.decode(config, &one, "")
		return []*Injector{ready(d.problems, declaration{
			name: one.Metadata.Name, nameAt: "metadata.name", fields: node.Get(config, "spec"), spec: one.Spec,
			at: specAt, variables: d.variables,
		})}
	case [2]string{v1alpha1.APIVersion, v1alpha1.ListKind}:
		return readList(config, d)
	case [2]string{"v1", "ConfigMap"}:
		return readClassic(config, d)
	case [2]string{sidecarset.Alpha, sidecarset.Kind}, [2]string{sidecarset.Beta, sidecarset.Kind}:
		return readSidecarSet(config, d)
	}
	d.unknownKind()
	return nil
}

// Means tells whether an object of this kind is meant as a config, though its version or its
// kind may be misspelt. A ConfigMap tells so by its data alone.
func Means(apiVersion, kind string) bool {
	group, _, _ := strings.Cut(apiVersion, "/")
	ours, _, _ := strings.Cut(v1alpha1.APIVersion, "/")
	return group == ours || kind == v1alpha1.Kind || kind == v1alpha1.ListKind || kind == sidecarset.Kind
}

// listShell is a SidecarInjectorList whose items are read one by one, so that each
// finding names its injector.
type listShell struct {
	APIVersion string             `json:"apiVersion"`
	Kind       string             `json:"kind"`
	Metadata   *v1alpha1.Metadata `json:"metadata,omitempty"`
	Items      []item             `json:"items"`
}

// item takes any node: it is looked at later.
type item struct{}

func (*item) UnmarshalJSON([]byte) error { return nil }

func readList(config *yaml.Node, d *decoder) []*Injector {
	var shell listShell
	d.decode(config, &shell, "")
	items := node.List(config, "items")
	switch {
	case len(items) == 0:
		d.require("items", "the list has no injectors; write at least one SidecarInjector under items")
	case len(items) > maxInjectors:
		d.refusef("items", "", "the list has %d injectors; the most is %d, so split it over several functions", len(items), maxInjectors)
		return nil
	}
	names := firstUses{}
	var injectors []*Injector
	var declarations []declaration
	for i, entry := range items {
		at := path("items").index(i)
		var one v1alpha1.SidecarInjector
		d.injector = node.Text(entry, "metadata", "name")
		inSpec := func(field string) path { return at.key("spec").key(field) }
		d.findVariables(node.Get(entry, "spec"), inSpec)
		d.decode(entry, &one, at)
		d.checkItemKind(one, at)
		if first, again := names.add(one.Metadata.Name, at); again {
			d.refusef(at.key("metadata").key("name"), one.Metadata.Name,
				"%s has this name already; an injector's name is its identity, so give each its own", first)
		}
		declared := declaration{
			name: one.Metadata.Name, nameAt: at.key("metadata").key("name"), fields: node.Get(entry, "spec"), spec: one.Spec,
			at: inSpec, variables: d.variables,
		}
		declared.spec.Default()
		declarations = append(declarations, declared)
		injectors = append(injectors, ready(d.problems, declared))
	}
	d.checkTogether(declarations)
	d.injector = ""
	return injectors
}

// checkItemKind lets an item leave out what the list says already.
func (d *decoder) checkItemKind(one v1alpha1.SidecarInjector, at path) {
	if one.APIVersion != "" && one.APIVersion != v1alpha1.APIVersion {
		d.refuse(problem{at: at.key("apiVersion"), current: one.APIVersion, proposed: v1alpha1.APIVersion, message: fmt.Sprintf(
			"an item of this list is of %s, not of %s; correct it or leave it out", v1alpha1.APIVersion, one.APIVersion)})
	}
	if one.Kind != "" && one.Kind != v1alpha1.Kind {
		d.refuse(problem{at: at.key("kind"), current: one.Kind, proposed: v1alpha1.Kind, message: fmt.Sprintf(
			"an item of this list is a %s, not a %s; correct it or leave it out", v1alpha1.Kind, one.Kind)})
	}
}

// firstUses remembers where each name was used first.
type firstUses map[string]path

// add is the first use of a name that is used again.
func (uses firstUses) add(name string, at path) (first path, again bool) {
	if name == "" {
		return "", false
	}
	if first, again = uses[name]; !again {
		uses[name] = at
	}
	return first, again
}
