package injector

import (
	"reflect"
	"slices"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/config/variable"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/jsonfield"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// PayloadFields are the fields of the spec that may have variables.
var PayloadFields = []string{
	pod.Main, pod.Init, "volumes", "imagePullSecrets", "appContainers", "patchPodMetadata", "podSpec",
}

// variables are the scalars of a payload with variables.
type variables map[*node.Node]Text

// Text is a text of the payload with variables, or with "${" in an escaped form.
type Text struct {
	variable.Text
	Path string       // of the field in the config
	Type reflect.Type // of the field, once the payload was decoded
	Rule int          // the index of the entry of appContainers, or -1 for a text elsewhere
}

// findVariables parses the variables in the payload of a spec. Settings have none, because they are the same for all
// pods.
func (d *decoder) findVariables(fields *node.Node) {
	d.variables = variables{}
	for _, field := range PayloadFields {
		d.rule = -1
		d.findIn(node.Get(fields, field), inSpec(field), specFields().Named(field).Type)
	}
}

// findIn parses the variables in a node, except for the settings in it if it is of one of Pillion's own types, or a
// list of such.
func (d *decoder) findIn(n *node.Node, at path, t reflect.Type) {
	switch {
	case n == nil:
	case n.Kind == node.SequenceNode:
		of := pod.Element(t)
		for i, entry := range n.Content {
			if of == reflect.TypeFor[v1alpha1.AppContainers]() {
				d.rule = i
			}
			d.findIn(entry, at.index(i), of)
		}
	case n.Kind == node.MappingNode:
		var own jsonfield.Fields
		if t != nil && t.Kind() == reflect.Struct && isOwn(t) {
			own = jsonfield.Of(t)
		}
		for i := 0; i+1 < len(n.Content); i += 2 {
			key := n.Content[i].Value
			if field := own.Named(key); field == nil {
				d.findIn(n.Content[i+1], at.key(key), nil)
			} else if !isSetting(*field) {
				d.findIn(n.Content[i+1], at.key(key), field.Type)
			}
		}
	case n.Kind == node.ScalarNode && n.Tag == node.StrTag:
		d.findInText(n, at)
	}
}

func (d *decoder) findInText(n *node.Node, at path) {
	text, reason := variable.Parse(n.Value)
	switch {
	case reason != nil:
		d.malform(problem{at: at, current: n.Value, proposed: reason.Proposed, message: reason.Message})
		d.variables[n] = Text{} // so that it is not decoded as a literal
	case !text.IsLiteral():
		place := d.positions.of(at)
		d.variables[n] = Text{Text: text, Path: place.String(), Rule: d.rule}
		d.varying[place] = true
	}
}

// referToApp reports whether any of the variables is one of the app's containers.
func (vs variables) referToApp() bool {
	for _, text := range vs {
		if text.UsesContainer() {
			return true
		}
	}
	return false
}

// usesContainer reports whether a node has a variable of a container.
func (vs variables) usesContainer(n *node.Node) bool {
	return vs[n].UsesContainer() || slices.ContainsFunc(n.Content, vs.usesContainer)
}

// areIn reports whether a node has variables.
func (vs variables) areIn(n *node.Node) bool {
	_, varies := vs[n]
	return varies || n != nil && slices.ContainsFunc(n.Content, vs.areIn)
}

// varies reports whether a scalar has variables and its field takes strings, so that the value depends on
// the pod. Until then, a field of free text gets the text as it was written, so that it counts as set.
func (d *decoder) varies(n *node.Node, v reflect.Value) bool {
	text, ok := d.variables[n]
	if !ok {
		return false
	}
	text.Type = v.Type()
	d.variables[n] = text
	switch {
	case unmarshalsItself(v.Type()):
		return true
	case v.Kind() == reflect.String:
		if len(v1alpha1.Allowed(v.Interface())) == 0 {
			v.SetString(n.Value)
		}
		return true
	}
	return false
}

// addCopy adds the texts of a copy of a node.
func (vs variables) addCopy(n, made *node.Node) {
	if text, varies := vs[n]; varies {
		vs[made] = text
	}
	for i, child := range made.Content {
		vs.addCopy(n.Content[i], child)
	}
}

// expand returns a node with the values of its variables. It shares unchanged nodes with the original. The function for
// variables without a value may be nil if all of them have one.
func (vs variables) expand(n *node.Node, subject variable.Subject, unset func(Text, *variable.Unset)) *node.Node {
	return vs.replace(n, func(n *node.Node, text Text) *node.Node {
		value, missing := text.Expand(subject)
		if missing != nil && unset != nil {
			unset(text, missing)
		}
		return text.scalar(n, value)
	})
}

// replace returns a node with the nodes that a function returns for texts. It shares unchanged nodes with the original.
func (vs variables) replace(n *node.Node, with func(*node.Node, Text) *node.Node) *node.Node {
	return node.Replaced(n, func(n *node.Node) *node.Node {
		if text, ok := vs[n]; ok {
			return with(n, text)
		}
		return nil
	})
}

// scalar returns the node for an expanded text. If the field takes numbers and strings, a number stays one: the API
// server takes the port "8080" of a probe for a name.
func (t Text) scalar(n *node.Node, value string) *node.Node {
	if t.Type != nil {
		if made := scalarFor(t.Type, value); made.Tag != node.StrTag {
			return made
		}
	}
	return &node.Node{Kind: n.Kind, Style: n.Style, Tag: n.Tag, Value: value}
}

// Texts returns the texts with variables, in the order of the payload.
func (i *Injector) Texts() []Text {
	var texts []Text
	i.WithTexts(func(t Text) *node.Node {
		texts = append(texts, t)
		return node.String("")
	})
	return texts
}

// WithTexts returns the injector with what a function returns in place of each text with variables. It is for programs
// that expand variables in their own way; it is not checked.
func (i *Injector) WithTexts(replace func(Text) *node.Node) *Injector {
	return i.withPayload(func(value *node.Node) *node.Node {
		return i.declared.variables.replace(value, func(_ *node.Node, text Text) *node.Node { return replace(text) })
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
	for _, field := range PayloadFields {
		if value := node.Get(d.fields, field); value != nil {
			node.Set(d.fields, field, replace(value))
		}
	}
	replaced := &Injector{Name: i.Name, Spec: i.Spec, Kind: i.Kind, Paused: i.Paused, Literal: i.Literal, declared: d}
	replaced.addPayload()
	return replaced
}
