package injector

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/intstr"

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

// scalarFor returns the text of an annotation as a scalar for a field's type. If it does not fit, it
// stays a string, which the decoder refuses.
func scalarFor(t reflect.Type, text string) *node.Node {
	number, notInt := strconv.ParseInt(text, 10, 64)
	switch {
	case t.Kind() == reflect.Bool && (text == "true" || text == "false"):
		return &node.Node{Kind: node.ScalarNode, Tag: node.BoolTag, Value: text}
	case notInt == nil &&
		(t.Kind() >= reflect.Int && t.Kind() <= reflect.Int64 || t == reflect.TypeFor[intstr.IntOrString]()):
		// Formatted, because in YAML 010 is an octal number.
		return &node.Node{Kind: node.ScalarNode, Tag: node.IntTag, Value: strconv.FormatInt(number, 10)}
	}
	return node.String(text)
}

// isSetting reports whether a field is a setting for Pillion, and not part of the pod: one of Pillion's own types that
// holds no such part.
func isSetting(field jsonfield.Field) bool {
	held := field.Type
	if held.Kind() == reflect.Slice {
		held = held.Elem()
	}
	return isOwn(field.Struct) && held.Kind() != reflect.Map && !isOfPod(held)
}

// isOwn reports whether a type is one of Pillion's, and not of Kubernetes.
func isOwn(t reflect.Type) bool { return strings.HasPrefix(t.PkgPath(), "pillion.dev/") }

// specFields are the fields of the spec.
func specFields() jsonfield.Fields {
	return jsonfield.Of(reflect.TypeFor[v1alpha1.SidecarInjectorSpec]())
}
