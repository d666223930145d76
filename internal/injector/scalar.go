package injector

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/sidecarset"
	"pillion.dev/pillion/internal/spelling"
	"pillion.dev/pillion/internal/yaml/node"
)

// scalar reads a string, a number or a truth value.
func (d *decoder) scalar(n *yaml.Node, v reflect.Value, at path) {
	if !d.hasShape(n, v.Type(), at) {
		return
	}
	switch v.Kind() {
	case reflect.String:
		d.text(n, v, at)
	case reflect.Bool:
		d.read(n, v, at, n.Tag == "!!bool")
	default:
		d.read(n, v, at, n.Tag == "!!int")
	}
}

// text takes strings alone: the API server refuses a number or a truth value for one,
// so who writes value: 8080 would find out only there.
func (d *decoder) text(n *yaml.Node, v reflect.Value, at path) {
	switch n.Tag {
	case "!!int", "!!float", "!!bool":
		if allowed := allowedFor(v); len(allowed) > 0 {
			d.malform(problem{at: at, current: n.Value, message: fmt.Sprintf("expected one of %s, found %s", strings.Join(allowed, ", "), node.Describe(n))})
			return
		}
		quoted := `"` + clip(n.Value, maxShown) + `"`
		d.malform(problem{at: at, current: n.Value, proposed: quoted, message: fmt.Sprintf(
			"expected a string, found %s; write it in quotes: %s", node.Describe(n), quoted)})
		return
	case "!!str", "!!timestamp": // a date without quotes is a string to Kubernetes
	default:
		d.malform(problem{at: at, current: n.Value, message: fmt.Sprintf(
			"expected a string, found a value with the YAML tag %s; remove the tag", n.Tag)})
		return
	}
	v.SetString(n.Value)
	allowed := allowedFor(v)
	if n.Value == "" || len(allowed) == 0 || slices.Contains(allowed, n.Value) {
		return
	}
	v.SetString("")
	near := spelling.Nearest(n.Value, allowed)
	message := fmt.Sprintf("%q is not one of %s", clip(n.Value, maxShown), strings.Join(allowed, ", "))
	if near != "" {
		message += fmt.Sprintf("; did you mean %s?", near)
	}
	d.malform(problem{at: at, current: n.Value, proposed: near, message: message})
}

// allowedFor are the values of a string type, Pillion's, Kubernetes' or SidecarSet's.
func allowedFor(v reflect.Value) []string {
	if allowed := v1alpha1.Allowed(v.Interface()); len(allowed) > 0 {
		return allowed
	}
	return sidecarset.Allowed(v.Interface())
}

// read lets YAML read what is tagged as the type wants it; the decoder refuses what
// does not fit, a number too large among them.
func (d *decoder) read(n *yaml.Node, v reflect.Value, at path, fits bool) {
	if fits && n.Decode(v.Addr().Interface()) == nil {
		return
	}
	v.SetZero()
	if fits {
		d.malform(problem{at: at, current: n.Value, message: fmt.Sprintf("the number %s is too large for this field", clip(n.Value, maxShown))})
		return
	}
	if _, ok := d.variables[n]; ok {
		d.malform(problem{at: at, current: n.Value, message: fmt.Sprintf(
			"expected %s, found %s; a variable gives a string, which this field does not take", expected(v.Type()), node.Describe(n))})
		return
	}
	bare := yaml.Node{Kind: yaml.ScalarNode, Value: n.Value}
	message := fmt.Sprintf("expected %s, found %s", expected(v.Type()), node.Describe(n))
	proposed := ""
	if n.Tag == "!!str" && bare.Decode(v.Addr().Interface()) == nil {
		proposed = n.Value
		if v.Kind() == reflect.Bool {
			proposed = fmt.Sprint(v.Bool())
		}
		message += "; write " + proposed
		v.SetZero()
	}
	d.malform(problem{at: at, current: n.Value, proposed: proposed, message: message})
}
