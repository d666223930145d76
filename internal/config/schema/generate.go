package schema

import (
	"encoding/json"
	"reflect"

	"pillion.dev/pillion/api/v1alpha1"
)

// Generate returns the contents of all generated files by their names, made from the types and the Go comments in
// the directory of the API.
func Generate(apiDir string) (map[string][]byte, error) {
	config, err := configSchema(apiDir)
	if err != nil {
		return nil, err
	}
	jsonSchema, err := json.MarshalIndent(config, "", " ")
	if err != nil {
		return nil, err
	}
	project, err := projectSchema(apiDir)
	if err != nil {
		return nil, err
	}
	jsonProject, err := json.MarshalIndent(project, "", " ")
	if err != nil {
		return nil, err
	}
	function, err := krmFunctionDefinition(config)
	if err != nil {
		return nil, err
	}
	resource, err := customResourceDefinition(config)
	if err != nil {
		return nil, err
	}
	const warning = "# Made by `make generate` from the Go types in this directory; do not edit.\n"
	return map[string][]byte{
		"schema.json":      append(jsonSchema, '\n'),
		"project.json":     append(jsonProject, '\n'),
		"krmfunction.yaml": append([]byte(warning), function...),
		"crd.yaml":         append([]byte(warning), resource...),
	}, nil
}

// draft is what the schemas are written in.
const draft = "http://json-schema.org/draft-07/schema#"

// configSchema returns the schema of a SidecarInjector or a list of them.
func configSchema(apiDir string) (*Schema, error) {
	b, err := newBuilder(apiDir)
	if err != nil {
		return nil, err
	}
	one := b.of(reflect.TypeFor[v1alpha1.SidecarInjector]())
	list := b.of(reflect.TypeFor[v1alpha1.SidecarInjectorList]())
	b.definitions[itemName] = itemOf(b.definitions[v1alpha1.Kind])
	return &Schema{
		Schema:      draft,
		Title:       "Pillion's function config",
		OneOf:       []*Schema{one, list},
		Definitions: b.definitions,
	}, nil
}

// projectSchema returns the schema of a project file.
func projectSchema(apiDir string) (*Schema, error) {
	b, err := newBuilder(apiDir)
	if err != nil {
		return nil, err
	}
	return &Schema{
		Schema:      draft,
		Title:       "Pillion's project file",
		OneOf:       []*Schema{b.of(reflect.TypeFor[v1alpha1.Project]())},
		Definitions: b.definitions,
	}, nil
}
