package schema

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

// Variables are the scalars of a payload with variables.
type Variables map[*node.Node]Text

// Text is a text of the payload with variables, or with "${" in an escaped form.
type Text struct {
	variable.Text
	Path string       // of the field in the config
	Type reflect.Type // of the field, once the payload was decoded
	Rule int          // the index of the entry of appContainers, or -1 for a text elsewhere
}

// FindVariables parses the variables in the payload of a spec. Settings have none, because they are the same for all
// pods.
func (d *Decoder) FindVariables(fields *node.Node) {
	d.Variables = Variables{}
	for _, field := range PayloadFields {
		d.rule = -1
		d.findIn(node.Get(fields, field), InSpec(field), SpecFields().Named(field).Type)
	}
}

// findIn parses the variables in a node, except for the settings in it if it is of one of Pillion's own types, or a
// list of such.
func (d *Decoder) findIn(n *node.Node, at Path, t reflect.Type) {
	switch {
	case n == nil:
	case n.Kind == node.SequenceNode:
		of := pod.Element(t)
		for i, entry := range n.Content {
			if of == reflect.TypeFor[v1alpha1.AppContainers]() {
				d.rule = i
			}
			d.findIn(entry, at.Index(i), of)
		}
	case n.Kind == node.MappingNode:
		var own jsonfield.Fields
		if t != nil && t.Kind() == reflect.Struct && isOwn(t) {
			own = jsonfield.Of(t)
		}
		for i := 0; i+1 < len(n.Content); i += 2 {
			key := n.Content[i].Value
			if field := own.Named(key); field == nil {
				d.findIn(n.Content[i+1], at.Key(key), nil)
			} else if !IsSetting(*field) {
				d.findIn(n.Content[i+1], at.Key(key), field.Type)
			}
		}
	case n.Kind == node.ScalarNode && n.Tag == node.StrTag:
		d.findInText(n, at)
	}
}

func (d *Decoder) findInText(n *node.Node, at Path) {
	text, reason := variable.Parse(n.Value)
	switch {
	case reason != nil:
		d.Malform(Problem{At: at, Current: n.Value, Proposed: reason.Proposed, Message: reason.Message})
		d.Variables[n] = Text{} // so that it is not decoded as a literal
	case !text.IsLiteral():
		place := d.Positions.Of(at)
		d.Variables[n] = Text{Text: text, Path: place.String(), Rule: d.rule}
		if d.varying == nil {
			d.varying = map[Path]bool{}
		}
		d.varying[place] = true
	}
}

// ReferToApp reports whether any of the variables is one of the app's containers.
func (vs Variables) ReferToApp() bool {
	for _, text := range vs {
		if text.UsesContainer() {
			return true
		}
	}
	return false
}

// UsesContainer reports whether a node has a variable of a container.
func (vs Variables) UsesContainer(n *node.Node) bool {
	return vs[n].UsesContainer() || slices.ContainsFunc(n.Content, vs.UsesContainer)
}

// AreIn reports whether a node has variables.
func (vs Variables) AreIn(n *node.Node) bool {
	_, varies := vs[n]
	return varies || n != nil && slices.ContainsFunc(n.Content, vs.AreIn)
}

// varies reports whether a scalar has variables and its field takes strings, so that the value depends on
// the pod. Until then, a field of free text gets the text as it was written, so that it counts as set.
func (d *Decoder) varies(n *node.Node, v reflect.Value) bool {
	text, ok := d.Variables[n]
	if !ok {
		return false
	}
	text.Type = v.Type()
	d.Variables[n] = text
	switch {
	case UnmarshalsItself(v.Type()):
		return true
	case v.Kind() == reflect.String:
		if len(v1alpha1.Allowed(v.Interface())) == 0 {
			v.SetString(n.Value)
		}
		return true
	}
	return false
}

// AddCopy adds the texts of a copy of a node.
func (vs Variables) AddCopy(n, made *node.Node) {
	if text, varies := vs[n]; varies {
		vs[made] = text
	}
	for i, child := range made.Content {
		vs.AddCopy(n.Content[i], child)
	}
}

// Expand returns a node with the values of its variables. It shares unchanged nodes with the original. The function for
// variables without a value may be nil if all of them have one.
func (vs Variables) Expand(n *node.Node, subject variable.Subject, unset func(Text, *variable.Unset)) *node.Node {
	return vs.Replace(n, func(n *node.Node, text Text) *node.Node {
		value, missing := text.Expand(subject)
		if missing != nil && unset != nil {
			unset(text, missing)
		}
		return text.scalar(n, value)
	})
}

// Replace returns a node with the nodes that a function returns for texts. It shares unchanged nodes with the original.
func (vs Variables) Replace(n *node.Node, with func(*node.Node, Text) *node.Node) *node.Node {
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
		if made := ScalarFor(t.Type, value); made.Tag != node.StrTag {
			return made
		}
	}
	return &node.Node{Kind: n.Kind, Style: n.Style, Tag: n.Tag, Value: value}
}

// ScalarFor returns the text of an annotation as a scalar for a field's type. If it does not fit, it
// stays a string, which the decoder refuses.
func ScalarFor(t reflect.Type, text string) *node.Node {
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

// IsSetting reports whether a field is a setting for Pillion, and not part of the pod: one of Pillion's own types that
// holds no such part.
func IsSetting(field jsonfield.Field) bool {
	held := field.Type
	if held.Kind() == reflect.Slice {
		held = held.Elem()
	}
	return isOwn(field.Struct) && held.Kind() != reflect.Map && !isOfPod(held)
}

// isOwn reports whether a type is one of Pillion's, and not of Kubernetes.
func isOwn(t reflect.Type) bool { return strings.HasPrefix(t.PkgPath(), "pillion.dev/") }

// SpecFields are the fields of the spec.
func SpecFields() jsonfield.Fields {
	return jsonfield.Of(reflect.TypeFor[v1alpha1.SidecarInjectorSpec]())
}
