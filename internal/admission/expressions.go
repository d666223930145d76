package admission

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/intstr"

	"pillion.dev/pillion/internal/podfield"
	"pillion.dev/pillion/internal/yaml/node"
)

// A value of the payload that depends on the pod is a scalar whose text is an expression. The tag tells it from a literal.
const (
	valueTag    = "!cel"           // an expression for the value
	perTag      = "!cel/container" // an expression for the value, which uses the container c that gets it
	optionalTag = "!cel/optional"  // an expression for an optional value, or a mapping that exists if one of its values does
)

func expressionNode(tag, expression string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: tag, Value: expression}
}

// isExpression reports whether a scalar is an expression.
func isExpression(n *yaml.Node) bool {
	return n != nil && n.Kind == yaml.ScalarNode && strings.HasPrefix(n.Tag, valueTag)
}

// holdsExpression reports whether a scalar anywhere in a node is an expression with the tag.
func holdsExpression(n *yaml.Node, tag string) bool {
	n = node.Resolve(n)
	return n.Kind == yaml.ScalarNode && n.Tag == tag ||
		slices.ContainsFunc(n.Content, func(child *yaml.Node) bool { return holdsExpression(child, tag) })
}

// optionalEntry returns the expression for the optional value of a key of a mapping. Its type must be known to be optional: cel-go
// panics if it is that of a variable of the policy, which is dyn.
func optionalEntry(n *yaml.Node, indent string) string {
	var exist []string
	for _, leaf := range leaves(n) {
		exist = append(exist, leaf.Value+".hasValue()")
	}
	value := n.Value + ".value()"
	if n.Kind == yaml.MappingNode {
		value = literalAt(n, indent)
	}
	return fmt.Sprintf("%s ? optional.of(dyn(%s)) : optional.none()", strings.Join(exist, " || "), value)
}

func leaves(n *yaml.Node) []*yaml.Node {
	if n.Kind == yaml.ScalarNode {
		return []*yaml.Node{n}
	}
	var all []*yaml.Node
	for _, value := range node.Fields(n) {
		all = append(all, leaves(value)...)
	}
	return all
}

// equalExpression returns the conditions that the optional value at an expression is that of another one.
func equalExpression(name string, declared *yaml.Node, t reflect.Type, at string) []string {
	if declared.Tag == optionalTag {
		return []string{fmt.Sprintf("(!%[1]s.hasValue() || %[2]s)", declared.Value, equalTo(name, declared.Value+".value()", t, at))}
	}
	return []string{equalTo(name, declared.Value, t, at)}
}

func equalTo(name, expression string, t reflect.Type, at string) string {
	zero := zeroOfType(t)
	switch isPointer := t != nil && t.Kind() == reflect.Pointer; {
	case podfield.Pointed(t) == reflect.TypeFor[resource.Quantity]():
		return equalAmount(expression, at)
	case isPointer || zero == "":
		return fmt.Sprintf("%s == optional.of(%s)", at, expression)
	case podfield.IsDefaulted(name):
		return fmt.Sprintf("(%[2]s == %[3]s || %[1]s.orValue(%[3]s) == %[2]s)", at, expression, zero)
	default:
		return fmt.Sprintf("%s.orValue(%s) == %s", at, zero, expression)
	}
}

// zeroOfType returns the zero value that the API server leaves out, or "" if it keeps all values.
func zeroOfType(t reflect.Type) string {
	switch {
	case t == nil || t == reflect.TypeFor[intstr.IntOrString]():
		return ""
	case t.Kind() == reflect.String:
		return `""`
	case t.Kind() == reflect.Bool:
		return "false"
	case t.Kind() >= reflect.Int && t.Kind() <= reflect.Int64:
		return "0"
	default:
		return ""
	}
}

// equalAmount returns the condition that an optional quantity is that of an expression, which may be no quantity. The API server rounds
// quantities up to thousandths, and CEL cannot round: so the pod's is not less, and by less than a thousandth more.
func equalAmount(expression, at string) string {
	return fmt.Sprintf("%s.optMap(q, [string(%s)].all(d, %s && quantity(q).compareTo(quantity(d)) >= 0 && "+
		"quantity(q).sub(quantity(\"1m\")).compareTo(quantity(d)) < 0)).orValue(false)", at, expression, isAmount)
}
