package schema

import (
	"encoding/json"
	"fmt"
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
		"krmfunction.yaml": append([]byte(warning), function...),
		"crd.yaml":         append([]byte(warning), resource...),
	}, nil
}

// configSchema returns the schema of a SidecarInjector or a list of them.
func configSchema(apiDir string) (*Schema, error) {
	comments, err := readComments(apiDir)
	if err != nil {
		return nil, fmt.Errorf("read the comments of the Go types: %w", err)
	}
	b := &builder{comments: comments, definitions: map[string]*Schema{}, types: map[string]reflect.Type{}}
	one := b.of(reflect.TypeFor[v1alpha1.SidecarInjector]())
	list := b.of(reflect.TypeFor[v1alpha1.SidecarInjectorList]())
	b.definitions[itemName] = itemOf(b.definitions[v1alpha1.Kind])
	return &Schema{
		Schema:      "http://json-schema.org/draft-07/schema#",
		Title:       "Pillion's function config",
		OneOf:       []*Schema{one, list},
		Definitions: b.definitions,
	}, nil
}
