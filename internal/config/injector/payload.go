package injector

import (
	"pillion.dev/pillion/internal/config/schema"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// Texts returns the texts with variables, in the order of the payload.
func (i *Injector) Texts() []schema.Text {
	var texts []schema.Text
	i.WithTexts(func(t schema.Text) *node.Node {
		texts = append(texts, t)
		return node.String("")
	})
	return texts
}

// WithTexts returns the injector with what a function returns in place of each text with variables. It is for programs
// that expand variables in their own way; it is not checked.
func (i *Injector) WithTexts(replace func(schema.Text) *node.Node) *Injector {
	return i.withPayload(func(value *node.Node) *node.Node {
		return i.declared.variables.Replace(value, func(_ *node.Node, text schema.Text) *node.Node {
			return replace(text)
		})
	})
}

// withPayload returns the injector with the values that a function returns for the payload's fields, if these vary.
func (i *Injector) withPayload(replace func(value *node.Node) *node.Node) *Injector {
	if !i.Varies() {
		return i
	}
	d := i.declared
	d.fields = node.Clone(d.fields)
	d.variables = nil
	for _, field := range schema.PayloadFields {
		if value := node.Get(d.fields, field); value != nil {
			node.Set(d.fields, field, replace(value))
		}
	}
	replaced := &Injector{Name: i.Name, Spec: i.Spec, Kind: i.Kind, Paused: i.Paused, Literal: i.Literal, declared: d}
	replaced.addPayload()
	return replaced
}
