// Package schema generates the schemas of Pillion's configs from the Go types: the JSON schema
// for editors, the CustomResourceDefinition for clusters, and the KRM function definition for
// catalogues. The generated files are part of package v1alpha1. The program itself does not import it: it would link
// the documentation of all Kubernetes types.
package schema

import (
	"cmp"
	"strings"
)

// Schema is a JSON schema of draft 7, which editors understand. Without references, it is also one of OpenAPI 3.
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
	IntOrString bool               `json:"x-kubernetes-int-or-string,omitempty"`
}

// inline returns the schema with each reference replaced by its definition, because OpenAPI schemas inside another
// document cannot have definitions. It calls adjust for each schema, with its level below the first.
func (s *Schema) inline(definitions map[string]*Schema, level int, adjust func(s *Schema, level int)) *Schema {
	if s == nil {
		return nil
	}
	c := *s
	if s.Ref != "" {
		c = *definitions[strings.TrimPrefix(s.Ref, definitionsPath)].inline(definitions, level, adjust)
		c.Description = cmp.Or(s.Description, c.Description)
		adjust(&c, level)
		return &c
	}
	c.Items = s.Items.inline(definitions, level+1, adjust)
	if values, ok := s.Additional.(*Schema); ok {
		c.Additional = values.inline(definitions, level+1, adjust)
	}
	if s.Properties != nil {
		c.Properties = make(map[string]*Schema, len(s.Properties))
		for name, property := range s.Properties {
			c.Properties[name] = property.inline(definitions, level+1, adjust)
		}
	}
	adjust(&c, level)
	return &c
}

const definitionsPath = "#/definitions/"

func refTo(name string) *Schema { return &Schema{Ref: definitionsPath + name} }
