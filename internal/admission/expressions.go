package admission

import (
	"fmt"
	"reflect"
	"slices"

	"k8s.io/apimachinery/pkg/api/resource"

	"pillion.dev/pillion/internal/pod"
	"pillion.dev/pillion/internal/yaml/node"
)

// A value of the payload that depends on the pod is a scalar whose text is an expression. The tag tells it from a literal.
const (
	valueTag = node.OtherTag + 1 + iota // an expression for the value
	perTag                              // an expression for the value, which uses the container c that gets it
)

func expressionNode(tag node.Tag, expression string) *node.Node {
	return &node.Node{Kind: node.ScalarNode, Tag: tag, Value: expression}
}

// isExpression reports whether a scalar is an expression.
func isExpression(n *node.Node) bool {
	return n != nil && n.Kind == node.ScalarNode && n.Tag >= valueTag
}

// holdsExpression reports whether a scalar anywhere in a node is an expression with the tag.
func holdsExpression(n *node.Node, tag node.Tag) bool {
	n = node.Resolve(n)
	return n.Kind == node.ScalarNode && n.Tag == tag ||
		slices.ContainsFunc(n.Content, func(child *node.Node) bool { return holdsExpression(child, tag) })
}

// equalExpression returns the condition that the optional value at an expression is that of another one.
func equalExpression(name string, declared *node.Node, t reflect.Type, at string) string {
	expression := declared.Value
	switch isString := t != nil && t.Kind() == reflect.String; {
	case pod.Pointed(t) == reflect.TypeFor[resource.Quantity]():
		return equalAmount(expression, at)
	case isString && pod.IsDefaulted(name):
		return fmt.Sprintf(`(%[2]s == "" || %[1]s.orValue("") == %[2]s)`, at, expression)
	case isString: // the API server leaves out one that is empty
		return fmt.Sprintf(`%s.orValue("") == %s`, at, expression)
	default:
		return fmt.Sprintf("%s == optional.of(%s)", at, expression)
	}
}

// equalAmount returns the condition that an optional quantity is that of an expression, which may be no quantity. The API server rounds
// quantities up to thousandths, and CEL cannot round: so the pod's is not less, and by less than a thousandth more.
func equalAmount(expression, at string) string {
	return fmt.Sprintf("%s.optMap(q, [string(%s)].all(d, %s && quantity(q).compareTo(quantity(d)) >= 0 && "+
		"quantity(q).sub(quantity(\"1m\")).compareTo(quantity(d)) < 0)).orValue(false)", at, expression, isAmount)
}
