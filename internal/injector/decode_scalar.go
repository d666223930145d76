package injector

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/yaml/node"
)

// decodeString decodes strings only: the API server refuses a number or a boolean in their place, such as value: 8080.
func (d *decoder) decodeString(n *yaml.Node, v reflect.Value, at path) {
	allowed := allowedFor(v)
	switch n.Tag {
	case "!!int", "!!float", "!!bool":
		if len(allowed) > 0 {
			d.malformf(at, n.Value, "expected one of %s, found %s", strings.Join(allowed, ", "), node.Describe(n))
			return
		}
		quoted := `"` + clip(n.Value, maxShown) + `"`
		d.malform(problem{at: at, current: n.Value, proposed: quoted, message: fmt.Sprintf(
			"expected a string, found %s; write it in quotes: %s", node.Describe(n), quoted)})
		return
	case "!!str", "!!timestamp": // a date without quotes is a string to Kubernetes
	default:
		d.malformf(at, n.Value, "expected a string, found a value with the YAML tag %s; remove the tag", n.Tag)
		return
	}
	if n.Value == "" || len(allowed) == 0 || slices.Contains(allowed, n.Value) {
		v.SetString(n.Value)
		return
	}
	message := fmt.Sprintf("%q is not one of %s", clip(n.Value, maxShown), strings.Join(allowed, ", "))
	found := problem{at: at, current: n.Value, message: message}
	found.propose(n.Value, allowed)
	d.malform(found)
}

// allowedFor returns the values of a string type, or nil if it has any.
func allowedFor(v reflect.Value) []string {
	if allowed := v1alpha1.Allowed(v.Interface()); len(allowed) > 0 {
		return allowed
	}
	return allowedInSidecarSets[v.Type()]
}

// decodeTagged decodes a boolean or a number with YAML's own decoder, if the node has the tag.
func (d *decoder) decodeTagged(n *yaml.Node, v reflect.Value, at path, tag string) {
	fits := n.Tag == tag
	if fits && n.Decode(v.Addr().Interface()) == nil {
		return
	}
	v.SetZero()
	if fits {
		d.malformf(at, n.Value, "the number %s is too large for this field", clip(n.Value, maxShown))
		return
	}
	found := problem{at: at, current: n.Value, message: fmt.Sprintf("expected %s, found %s", expected(v.Type()), node.Describe(n))}
	unquoted := yaml.Node{Kind: yaml.ScalarNode, Value: n.Value}
	if _, isVariable := d.variables[n]; isVariable {
		found.message += "; a variable gives a string, which this field does not take"
	} else if n.Tag == "!!str" && unquoted.Decode(v.Addr().Interface()) == nil {
		found.proposed = n.Value
		if v.Kind() == reflect.Bool {
			found.proposed = strconv.FormatBool(v.Bool())
		}
		found.message += "; write " + found.proposed
		v.SetZero()
	}
	d.malform(found)
}
