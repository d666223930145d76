package admission

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/intstr"

	"pillion.dev/pillion/internal/pod"
	"pillion.dev/pillion/internal/yaml/node"
)

// A pod arrives at admission with defaults, and perhaps with what others added, so it is compared with the payload by the declared fields
// only: each of them is there and has the same meaning to Kubernetes. The Go types tell quantities from strings, and fields that the API
// server leaves out if they are zero from those that it keeps.

// equalFields returns the conditions that the mapping at an expression has the declared fields. The type may be nil if it is not known.
func equalFields(declared *node.Node, t reflect.Type, at string) []string {
	var conditions []string
	for key, value := range node.Fields(declared) {
		conditions = append(conditions, equalField(key, value, t, at)...)
	}
	return conditions
}

// equalField returns the conditions that the mapping at an expression has one declared field.
func equalField(key string, value *node.Node, t reflect.Type, at string) []string {
	if node.IsNull(value) {
		return nil
	}
	return equalValue(key, value, pod.Type(t, key), at+selector(key))
}

// equalValue returns the conditions that the optional value at an expression is the declared one. There are none for what the API server
// leaves out.
func equalValue(name string, declared *node.Node, t reflect.Type, at string) []string {
	declared = node.Resolve(declared)
	if isExpression(declared) {
		return []string{equalExpression(name, declared, t, at)}
	}
	isPointer := t != nil && t.Kind() == reflect.Pointer
	switch {
	case pod.Pointed(t) == reflect.TypeFor[resource.Quantity]():
		return []string{equalQuantity(name, declared, at)}
	case declared.Kind == node.MappingNode:
		conditions := equalFields(declared, t, at)
		if len(conditions) == 0 && isPointer {
			return []string{at + ".hasValue()"}
		}
		return conditions
	case declared.Kind == node.SequenceNode:
		return equalList(name, declared, t, at)
	}
	value := typedScalar(declared, t)
	if !isPointer && pod.IsDefaulted(name) && value == zeroOf(value) {
		return nil
	}
	if zero := zeroOf(value); !isPointer && zero != "" && pod.Pointed(t) != reflect.TypeFor[intstr.IntOrString]() {
		return []string{fmt.Sprintf("%s.orValue(%s) == %s", at, zero, value)}
	}
	return []string{fmt.Sprintf("%s == optional.of(%s)", at, value)}
}

// typedScalar returns a scalar as a CEL literal of the field's type.
func typedScalar(declared *node.Node, t reflect.Type) string {
	if t = pod.Pointed(t); t != nil && t.Kind() == reflect.String && !isExpression(declared) {
		return quote(declared.Value)
	}
	return scalar(declared)
}

// zeroOf returns the zero value of the type of a literal, or "" for a number with a fraction.
func zeroOf(value string) string {
	switch {
	case value[0] == '"':
		return `""`
	case value == "true" || value == "false":
		return "false"
	case strings.Contains(value, "."):
		return ""
	default:
		return "0"
	}
}

// keptExactly are the quantities of a pod that are in no list of resources. The API server rounds up the others to thousandths.
var keptExactly = map[string]bool{"sizeLimit": true, "divisor": true}

// equalQuantity returns the condition that an optional quantity is the declared one: 1000m is 1.
func equalQuantity(name string, declared *node.Node, at string) string {
	text := declared.Value
	if encoded, err := json.Marshal(node.Scalar(declared)); err == nil {
		var quantity resource.Quantity
		if json.Unmarshal(encoded, &quantity) == nil {
			if !keptExactly[name] {
				quantity.RoundUp(resource.Milli)
			}
			text = quantity.String()
		}
	}
	return fmt.Sprintf("%s.optMap(q, quantity(q).compareTo(quantity(%s)) == 0).orValue(false)", at, quote(text))
}

// equalList returns the conditions that an optional list has the declared entries. If they have keys, others may be between them; the
// entries of other lists are compared by their index.
func equalList(name string, declared *node.Node, t reflect.Type, at string) []string {
	element, entries := pod.Element(t), declared.Content
	switch {
	case len(entries) == 0 && pod.InContainer(name).IsKeyed():
		return nil
	case len(entries) == 0:
		return []string{fmt.Sprintf("size(%s.orValue([])) == 0", at)}
	case pod.InContainer(name).IsKeyed() && node.Resolve(entries[0]).Kind == node.MappingNode:
		conditions := make([]string, len(entries))
		for i, entry := range entries {
			conditions[i] = hasEntry(name, entry, element, at)
		}
		return conditions
	case node.Resolve(entries[0]).Kind == node.ScalarNode:
		values, wrap := make([]string, len(entries)), wrapper(declared)
		for i, entry := range entries {
			values[i] = wrap(typedScalar(node.Resolve(entry), element))
		}
		return []string{fmt.Sprintf("%s.orValue([]) == [%s]", at, strings.Join(values, ", "))}
	}
	conditions := []string{fmt.Sprintf("size(%s.orValue([])) == %d", at, len(entries))}
	for i, entry := range entries {
		conditions = append(conditions, equalFields(node.Resolve(entry), element, fmt.Sprintf("%s[?%d]", at, i))...)
	}
	return conditions
}

// hasEntry returns the condition that an optional list has an entry with the declared fields, its key among them.
func hasEntry(list string, entry *node.Node, t reflect.Type, at string) string {
	if list == "env" {
		return hasVariable(node.Resolve(entry), t, at)
	}
	return fmt.Sprintf("%s.orValue([]).exists(e, %s)", at, all(equalEntry(list, entry, t)))
}

// hasVariable returns the condition that an optional list has a variable as it is declared, and no other of its name: the last one counts.
func hasVariable(variable *node.Node, t reflect.Type, at string) string {
	var conditions []string
	for key, value := range node.Fields(variable) {
		if key != "name" {
			conditions = append(conditions, equalField(key, value, t, "e")...)
		}
	}
	if node.IsNull(node.Get(variable, "valueFrom")) {
		conditions = append(conditions, "!has(e.valueFrom)")
	}
	return fmt.Sprintf("%s.orValue([]).filter(e, e.name == %s).map(e, %s) == [true]", at, quote(node.Text(variable, "name")), all(conditions))
}

// equalEntry returns the conditions that the entry e of a list is the declared one.
func equalEntry(list string, entry *node.Node, t reflect.Type) []string {
	conditions := equalFields(node.Resolve(entry), t, "e")
	if list == "ports" && node.IsNull(node.Get(entry, "protocol")) { // part of the key, and TCP by default
		conditions = append(conditions, `e.?protocol.orValue("TCP") == "TCP"`)
	}
	return conditions
}

// all returns the condition that all conditions hold.
func all(conditions []string) string {
	if len(conditions) == 0 {
		return "true"
	}
	return strings.Join(conditions, " && ")
}

// selector returns the expression that selects a field that may be absent.
func selector(key string) string {
	if isIdentifier(key) && !celWords[key] {
		return ".?" + key
	}
	return "[?" + quote(key) + "]"
}

// celWords are the words of CEL that are no identifiers.
var celWords = map[string]bool{
	"as": true, "break": true, "const": true, "continue": true, "else": true, "false": true, "for": true, "function": true, "if": true,
	"import": true, "in": true, "let": true, "loop": true, "namespace": true, "null": true, "package": true, "return": true, "true": true,
	"var": true, "void": true, "while": true,
}
