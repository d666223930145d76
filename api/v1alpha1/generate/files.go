package main

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-tools/pkg/crd"
	"sigs.k8s.io/controller-tools/pkg/loader"
	"sigs.k8s.io/yaml"

	"pillion.dev/pillion/api/v1alpha1"
)

// generate returns the contents of the generated files by their names.
func generate() (map[string][]byte, error) {
	a, err := parse()
	if err != nil {
		return nil, err
	}
	injector := a.editorSchema(v1alpha1.Kind)
	list := a.editorSchema(v1alpha1.ListKind)
	project := a.editorSchema(v1alpha1.ProjectKind)
	function, err := krmFunctionDefinition(injector)
	if err != nil {
		return nil, err
	}
	contents := map[string]any{
		"crd.yaml":         a.customResourceDefinition(),
		"krmfunction.yaml": function,
		"schema.json":      configSchema(injector, list),
		"project.json":     oneOf("Pillion's project file", project),
	}
	if loader.PrintErrors([]*loader.Package{a.pkg}, packages.TypeError) {
		return nil, errors.New("controller-gen cannot read the Go types")
	}
	files := map[string][]byte{}
	for name, content := range contents {
		if files[name], err = encode(name, content); err != nil {
			return nil, err
		}
	}
	return files, nil
}

func encode(name string, content any) ([]byte, error) {
	if strings.HasSuffix(name, ".json") {
		text, err := json.MarshalIndent(content, "", " ")
		return append(text, '\n'), err
	}
	const warning = "# Made by `make generate` from the Go types in this directory; do not edit.\n"
	text, err := yaml.Marshal(content)
	return append([]byte(warning), text...), err
}

// describedLevels is how deep descriptions are kept in a cluster. With those of Kubernetes' own types, the definition
// would be larger than kubectl apply can take.
const describedLevels = 2

// customResourceDefinition is for clusters. It does not forbid unknown fields, which API servers drop.
func (a *api) customResourceDefinition() apiextensionsv1.CustomResourceDefinition {
	kind := schema.GroupKind{Group: v1alpha1.Group, Kind: v1alpha1.Kind}
	a.parser.NeedCRDFor(kind, nil)
	definition := a.parser.CustomResourceDefinitions[kind]
	crd.FixTopLevelMetadata(definition)
	visit := func(s *jsonSchema, level int) {
		if level > describedLevels {
			s.Description = ""
		}
	}
	crd.EditSchema(definition.Spec.Versions[0].Schema.OpenAPIV3Schema, visitor{visit: visit})
	return definition
}

// editorSchema is the schema of a kind for programs that check files while they are written.
func (a *api) editorSchema(kind string) *jsonSchema {
	name := crd.TypeIdent{Package: a.pkg, Name: kind}
	a.parser.NeedFlattenedSchemaFor(name)
	flat := a.parser.FlattenedSchemata[name]
	visit := func(s *jsonSchema, _ int) {
		s.Description, _, _ = strings.Cut(s.Description, "\n\n") // the rest would make up most of the schema
		if s.Properties != nil {
			s.AdditionalProperties = &apiextensionsv1.JSONSchemaPropsOrBool{Allows: false}
		}
		if s.XIntOrString { // a quantity may be 0.5
			s.AnyOf = []jsonSchema{{Type: "number"}, {Type: "string"}}
		}
	}
	editor := flat.DeepCopy()
	crd.EditSchema(editor, visitor{visit: visit})
	return editor
}

// configSchema is the schema of a config: a SidecarInjector, or a list of them, which need no apiVersion and kind.
func configSchema(injector, list *jsonSchema) *jsonSchema {
	one := injector.DeepCopy()
	item := list.Properties["items"].Items.Schema
	item.Required = slices.DeleteFunc(item.Required, func(field string) bool { return field == "apiVersion" || field == "kind" })
	spec := one.Properties["spec"]
	toSpec := "#/definitions/spec"
	one.Properties["spec"] = jsonSchema{Ref: &toSpec}
	item.Properties["spec"] = jsonSchema{Ref: &toSpec}
	config := oneOf("Pillion's function config", one, list)
	config.Definitions = map[string]jsonSchema{"spec": spec}
	return config
}

func oneOf(title string, kinds ...*jsonSchema) *jsonSchema {
	all := &jsonSchema{Schema: "http://json-schema.org/draft-07/schema#", Title: title}
	for _, kind := range kinds {
		all.OneOf = append(all.OneOf, *kind)
	}
	return all
}

// visitor visits a schema and all that is in it.
type visitor struct {
	level int // below the first
	visit func(s *jsonSchema, level int)
}

// Visit visits one schema, and returns the visitor for what is in it. At the end, the schema is nil.
func (v visitor) Visit(s *jsonSchema) crd.SchemaVisitor {
	if s != nil {
		v.visit(s, v.level)
	}
	v.level++
	return v
}
