// Package schema generates the schemas of Pillion's configs from the Go types: the JSON schema
// for editors, the CustomResourceDefinition for clusters, and the KRM function definition for
// catalogues. The generated files are part of package v1alpha1. At run time, the reader of configs
// uses Fields, so that it knows the same fields as the schemas.
package schema

// Schema is a JSON schema, as far as one is needed here: of draft 7, which editors
// understand, and without references also of OpenAPI 3.
type Schema struct {
	Schema      string             `json:"$schema,omitempty"`
	Title       string             `json:"title,omitempty"`
	Ref         string             `json:"$ref,omitempty"`
	Description string             `json:"description,omitempty"`
	Type        string             `json:"type,omitempty"`
	Format      string             `json:"format,omitempty"`
	Pattern     string             `json:"pattern,omitempty"`
	MaxLength   int                `json:"maxLength,omitempty"`
	Enum        []string           `json:"enum,omitempty"`
	Default     any                `json:"default,omitempty"`
	OneOf       []*Schema          `json:"oneOf,omitempty"`
	AnyOf       []*Schema          `json:"anyOf,omitempty"`
	Required    []string           `json:"required,omitempty"`
	Properties  map[string]*Schema `json:"properties,omitempty"`
	Additional  any                `json:"additionalProperties,omitempty"` // false, or the *Schema of a map's values
	Items       *Schema            `json:"items,omitempty"`
	Definitions map[string]*Schema `json:"definitions,omitempty"`
}

// inline is the schema with each reference replaced by what it refers to. OpenAPI
// schemas that stand inside another document have no place for definitions.
func (s *Schema) inline(definitions map[string]*Schema) *Schema {
	if s == nil {
		return nil
	}
	c := *s
	if s.Ref != "" {
		c = *definitions[nameOf(s.Ref)].inline(definitions)
		if s.Description != "" {
			c.Description = s.Description
		}
		return &c
	}
	c.Items = s.Items.inline(definitions)
	if values, ok := s.Additional.(*Schema); ok {
		c.Additional = values.inline(definitions)
	}
	if s.Properties != nil {
		c.Properties = make(map[string]*Schema, len(s.Properties))
		for name, property := range s.Properties {
			c.Properties[name] = property.inline(definitions)
		}
	}
	return &c
}

const definitionsPath = "#/definitions/"

func refTo(name string) *Schema { return &Schema{Ref: definitionsPath + name} }

func nameOf(ref string) string { return ref[len(definitionsPath):] }
