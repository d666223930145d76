package injector

import (
	"reflect"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/variable"
	"pillion.dev/pillion/internal/yaml/node"
)

// Text is a text of the payload with variables, or with "${" in an escaped form.
type Text struct {
	variable.Text
	// Path is that of the field in the config.
	Path string
	// Type is that of the field.
	Type reflect.Type
	// Rule is the index of the entry of appContainers, or -1 for a text elsewhere.
	Rule int
}

// Texts returns the texts with variables, in the order of the payload.
func (i *Injector) Texts() []Text {
	var texts []Text
	i.WithTexts(func(t Text) *yaml.Node {
		texts = append(texts, t)
		return node.String("")
	})
	return texts
}

// WithTexts returns a copy of the injector in which a function replaces each text with variables. The copy is for programs that expand
// variables in their own way; it is not checked.
func (i *Injector) WithTexts(replace func(Text) *yaml.Node) *Injector {
	if i.IsForeign() && !i.Varies() { // a SidecarSet is arranged after its payload is read
		return i
	}
	return i.withPayload(func(field string, value *yaml.Node) *yaml.Node { return i.declared.replaceTexts(value, field, replace) })
}

// withPayload returns a copy of the injector in which a function replaces the values of the payload's fields.
func (i *Injector) withPayload(replace func(field string, value *yaml.Node) *yaml.Node) *Injector {
	d := i.declared
	if i.Varies() {
		d.fields = node.Clone(d.fields)
		for _, field := range PayloadFields {
			if value := node.Get(d.fields, field); value != nil {
				node.Set(d.fields, field, replace(field, value))
			}
		}
		d.variables = nil
	}
	replaced := &Injector{Name: i.Name, Spec: i.Spec, Kind: i.Kind, Paused: i.Paused, Literal: i.Literal, declared: d}
	replaced.addPayload()
	return replaced
}

// replaceTexts returns the value of a field of the payload with the texts that a function returns.
func (d *declaration) replaceTexts(value *yaml.Node, field string, replace func(Text) *yaml.Node) *yaml.Node {
	replaceIn := func(n *yaml.Node, rule int) *yaml.Node {
		return d.variables.replace(n, func(_ *yaml.Node, text variableText) *yaml.Node {
			return replace(Text{Text: text.Text, Path: text.at.String(), Type: text.typ, Rule: rule})
		})
	}
	if field != "appContainers" || value.Kind != yaml.SequenceNode {
		return replaceIn(value, -1)
	}
	value = node.Clone(value)
	for i, rule := range value.Content {
		value.Content[i] = replaceIn(rule, i)
	}
	return value
}
