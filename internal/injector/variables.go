package injector

import (
	"reflect"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/pod"
	"pillion.dev/pillion/internal/spelling"
	"pillion.dev/pillion/internal/variable"
	"pillion.dev/pillion/internal/yaml/node"
)

// PayloadFields are the fields of the spec that may have variables.
var PayloadFields = []string{pod.Main, pod.Init, "volumes", "imagePullSecrets", "appContainers", "patchPodMetadata", "podSpec"}

// variables are the scalars of a payload with variables.
type variables map[*yaml.Node]variableText

// variableText is a parsed text with variables.
type variableText struct {
	variable.Text
	at  path
	typ reflect.Type // of its field, once the payload was decoded
}

// findVariables parses the variables in the payload of a spec. Settings have none, because they are the same for all pods.
func (d *decoder) findVariables(fields *yaml.Node, at func(field string) path) {
	d.variables = variables{}
	for _, field := range PayloadFields {
		d.findIn(node.Get(fields, field), at(field), field)
	}
}

// findIn parses the variables in a node. It skips the settings of the list that the node is, or is an entry of.
func (d *decoder) findIn(n *yaml.Node, at path, list string) {
	switch {
	case n == nil:
	case n.Kind == yaml.SequenceNode:
		for i, entry := range n.Content {
			d.findIn(entry, at.index(i), list)
		}
	case n.Kind == yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			if key := n.Content[i].Value; !isSetting(list, key) {
				d.findIn(n.Content[i+1], at.key(key), within(list, key))
			}
		}
	case n.Kind == yaml.ScalarNode && n.Tag == "!!str":
		d.findInText(n, at)
	}
}

func (d *decoder) findInText(n *yaml.Node, at path) {
	text, problem := variable.Parse(n.Value)
	switch {
	case problem != nil:
		d.refuseVariable(n.Value, problem, at)
		d.variables[n] = variableText{at: at} // so that it is not decoded as a literal
	case !text.IsLiteral():
		d.variables[n] = variableText{Text: text, at: at}
		d.varying = append(d.varying, at)
	}
}

// refuseVariable refuses a text, and proposes the variable that was probably meant.
func (d *decoder) refuseVariable(text string, reason *variable.Problem, at path) {
	found := problem{at: at, current: text, message: reason.Message}
	if reason.Unknown != "" {
		if near := spelling.Nearest(reason.Unknown, variable.Names()); near != "" {
			found.proposed = "${" + near + "}"
			found.message += "; did you mean " + found.proposed + "? Write"
		} else {
			found.message += "; known are " + strings.Join(variable.Names(), ", ") + "; write"
		}
		found.message += " $${ for a literal ${"
	}
	d.malform(found)
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

// varies reports whether a scalar has variables and its field takes strings, so that the value depends on
// the pod. Until then, a field of free text gets the text as it was written, so that it counts as set.
func (d *decoder) varies(n *yaml.Node, v reflect.Value) bool {
	text, ok := d.variables[n]
	if !ok {
		return false
	}
	text.typ = v.Type()
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
func (vs variables) addCopy(n, made *yaml.Node) {
	if text, varies := vs[n]; varies {
		vs[made] = text
	}
	for i, child := range made.Content {
		vs.addCopy(n.Content[i], child)
	}
}

// expand returns a node with the values of its variables. It shares unchanged nodes with the original. The function for variables without
// a value may be nil if all of them have one.
func (vs variables) expand(n *yaml.Node, subject variable.Subject, unset func(path, *variable.Unset)) *yaml.Node {
	return vs.replace(n, func(n *yaml.Node, text variableText) *yaml.Node {
		value, missing := text.Expand(subject)
		if missing != nil && unset != nil {
			unset(text.at, missing)
		}
		return text.scalar(n, value)
	})
}

// replace returns a node with the nodes that a function returns for texts. It shares unchanged nodes with the original.
func (vs variables) replace(n *yaml.Node, with func(*yaml.Node, variableText) *yaml.Node) *yaml.Node {
	if text, ok := vs[n]; ok {
		return with(n, text)
	}
	replaced := n
	for i, child := range n.Content {
		if changed := vs.replace(child, with); changed != child {
			if replaced == n {
				replaced = node.Clone(n)
			}
			replaced.Content[i] = changed
		}
	}
	return replaced
}

// scalar returns the node for an expanded text. If the field takes numbers and strings, a number stays one: the API
// server takes the port "8080" of a probe for a name.
func (t variableText) scalar(n *yaml.Node, value string) *yaml.Node {
	if t.typ != nil {
		if made := scalarFor(t.typ, value); made.Tag != "!!str" {
			return made
		}
	}
	return &yaml.Node{Kind: n.Kind, Style: n.Style, Tag: n.Tag, Value: value}
}
