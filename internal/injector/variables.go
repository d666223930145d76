package injector

import (
	"reflect"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/spelling"
	"pillion.dev/pillion/internal/variable"
	"pillion.dev/pillion/internal/yaml/node"
)

// payloadFields are the spec fields whose string values may hold variables, and which are made
// anew for each pod where they do.
var payloadFields = []string{
	"containers",
	"initContainers",
	"volumes",
	"imagePullSecrets",
	"appContainers",
	"patchPodMetadata",
	"podSpec",
}

// variables are the scalars of a payload that differ from pod to pod.
type variables map[*yaml.Node]placedText

// placedText is a parsed text, where it stands and, once the payload was read, for which type.
type placedText struct {
	variable.Text
	at    path
	fills reflect.Type
}

// findVariables reads the variables of a spec's payload. Knobs have none: they say how the
// payload goes in, and are read once.
func (d *decoder) findVariables(fields *yaml.Node, at func(field string) path) {
	d.variables = variables{}
	for _, field := range payloadFields {
		value, place := node.Get(fields, field), at(field)
		if value == nil || value.Kind != yaml.SequenceNode {
			d.findIn(value, place)
			continue
		}
		for i, entry := range value.Content {
			if entry.Kind != yaml.MappingNode {
				d.findIn(entry, place.index(i))
				continue
			}
			for k := 0; k+1 < len(entry.Content); k += 2 {
				if key := entry.Content[k].Value; !isKnob(field, key) {
					d.findIn(entry.Content[k+1], place.index(i).key(key))
				}
			}
		}
	}
}

func (d *decoder) findIn(n *yaml.Node, at path) {
	switch {
	case n == nil:
	case n.Kind == yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			d.findIn(n.Content[i+1], at.key(n.Content[i].Value))
		}
	case n.Kind == yaml.SequenceNode:
		for i, entry := range n.Content {
			d.findIn(entry, at.index(i))
		}
	case n.Kind == yaml.ScalarNode && n.Tag == "!!str":
		d.findInText(n, at)
	}
}

func (d *decoder) findInText(n *yaml.Node, at path) {
	text, wrong := variable.Parse(n.Value)
	switch {
	case wrong != nil:
		d.badVariable(n.Value, wrong, at)
		d.variables[n] = placedText{at: at} // so that it is not judged as a literal, too
	case !text.IsLiteral():
		d.variables[n] = placedText{Text: text, at: at}
		d.varying = append(d.varying, at)
	}
}

// badVariable refuses a text, with the variable that was most likely meant.
func (d *decoder) badVariable(text string, wrong *variable.Problem, at path) {
	bad := problem{at: at, current: text, message: wrong.Message}
	if wrong.Unknown != "" {
		if near := spelling.Nearest(wrong.Unknown, variable.Names()); near != "" {
			bad.proposed = "${" + near + "}"
			bad.message += "; did you mean " + bad.proposed + "? Write"
		} else {
			bad.message += "; known are " + strings.Join(variable.Names(), ", ") + "; write"
		}
		bad.message += " $${ for a ${ that is meant as it stands"
	}
	d.malform(bad)
}

// varies tells that a scalar holds variables and its field takes strings, so that its value is
// known only when a pod is at hand. Until then a field of free text has the text as it was
// written, which is enough to tell that it is set.
func (d *decoder) varies(n *yaml.Node, v reflect.Value) bool {
	text, ok := d.variables[n]
	if !ok {
		return false
	}
	text.fills = v.Type()
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

// expand is a node with the variables filled in. It shares with the original what is the same.
func (vs variables) expand(n *yaml.Node, subject variable.Subject, unset func(path, *variable.Unset)) *yaml.Node {
	if text, ok := vs[n]; ok {
		value, missing := text.Expand(subject)
		if missing != nil {
			unset(text.at, missing)
		}
		return text.scalar(n, value)
	}
	expanded := n
	for i, child := range n.Content {
		if changed := vs.expand(child, subject, unset); changed != child {
			if expanded == n {
				expanded = node.Clone(n)
			}
			expanded.Content[i] = changed
		}
	}
	return expanded
}

// scalar is the node for an expanded text: a number where the field takes numbers as well as
// strings, as a probe's port does, which the API server would take for the name of a port otherwise.
func (t placedText) scalar(n *yaml.Node, value string) *yaml.Node {
	if t.fills != nil {
		if made := scalarFor(t.fills, value); made.Tag != "!!str" {
			return made
		}
	}
	return &yaml.Node{Kind: n.Kind, Style: n.Style, Tag: n.Tag, Value: value}
}
