// Package encode turns Go values with JSON tags, such as those of Kubernetes' API types, into the YAML nodes that a person
// would write for them: without the zero values that encoding/json cannot leave out, and with fields in their order.
package encode

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/schema"
	"pillion.dev/pillion/internal/yaml/emit"
	"pillion.dev/pillion/internal/yaml/node"
)

// Node returns a value as YAML nodes in block style. Fields that may be left out and have their zero value are left out,
// structs included; a pointer to a zero value is not. A required field that is null is left out as well.
func Node(value any) (*yaml.Node, error) {
	n, err := encode(reflect.ValueOf(value))
	if err == nil && n == nil {
		n = &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null", Value: "null"}
	}
	return n, err
}

// encode returns nil for what is null in JSON.
func encode(v reflect.Value) (*yaml.Node, error) {
	switch {
	case !v.IsValid() || isNil(v):
		return nil, nil
	case v.CanInterface() && isMarshaler(v):
		return marshaled(v)
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		return encode(v.Elem())
	case reflect.Struct:
		return structure(v)
	case reflect.Map:
		return mapping(v)
	case reflect.Slice, reflect.Array:
		return list(v)
	case reflect.String:
		return text(v.String()), nil
	default:
		return marshaled(v)
	}
}

func isNil(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface, reflect.Map, reflect.Slice:
		return v.IsNil()
	default:
		return false
	}
}

// isMarshaler reports whether a type writes itself, as quantities do. A byte slice is base64 in JSON.
func isMarshaler(v reflect.Value) bool {
	return reflect.PointerTo(v.Type()).Implements(reflect.TypeFor[json.Marshaler]()) ||
		v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Uint8
}

func structure(v reflect.Value) (*yaml.Node, error) {
	m := node.Mapping()
	for _, field := range schema.Fields(v.Type()) {
		value, err := v.FieldByIndexErr(field.Index)
		if err != nil || !field.Required && isUnset(value, v.Type().FieldByIndex(field.Index).Tag.Get("json")) {
			continue
		}
		n, err := encode(value)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", field.Name, err)
		}
		if n != nil {
			m.Content = append(m.Content, node.String(field.Name), n)
		}
	}
	return m, nil
}

// isUnset reports whether an optional field is not set. An empty list or map counts as not set unless its tag is omitzero, as in
// encoding/json.
func isUnset(v reflect.Value, tag string) bool {
	isCollection := v.Kind() == reflect.Slice || v.Kind() == reflect.Map
	return v.IsZero() || isCollection && v.Len() == 0 && strings.Contains(tag, "omitempty")
}

func mapping(v reflect.Value) (*yaml.Node, error) {
	keys := map[string]reflect.Value{}
	for _, key := range v.MapKeys() {
		keys[fmt.Sprint(key.Interface())] = v.MapIndex(key)
	}
	m := node.Mapping()
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		n, err := encode(keys[key])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", key, err)
		}
		if n != nil {
			m.Content = append(m.Content, text(key), n)
		}
	}
	return m, nil
}

func list(v reflect.Value) (*yaml.Node, error) {
	s := node.Sequence()
	for i := range v.Len() {
		n, err := Node(v.Index(i).Interface())
		if err != nil {
			return nil, fmt.Errorf("[%d]: %w", i, err)
		}
		s.Content = append(s.Content, n)
	}
	return s, nil
}

// text returns a string that every reader of YAML takes for one.
func text(value string) *yaml.Node {
	n := node.String(value)
	switch {
	case strings.Contains(value, "\n"):
		n.Style = yaml.LiteralStyle
	case !emit.SafePlain(value, false):
		n.Style = yaml.DoubleQuotedStyle
	}
	return n
}

// marshaled returns what encoding/json makes of a value.
func marshaled(v reflect.Value) (*yaml.Node, error) {
	pointer := reflect.New(v.Type()) // some types have MarshalJSON only on their pointers
	pointer.Elem().Set(v)
	data, err := json.Marshal(pointer.Interface())
	if err != nil {
		return nil, err
	}
	var s string
	if json.Unmarshal(data, &s) == nil && data[0] == '"' {
		return text(s), nil
	}
	var document yaml.Node
	if err := yaml.Unmarshal(data, &document); err != nil {
		return nil, err
	}
	if n := document.Content[0]; !node.IsNull(n) {
		return blockStyle(node.Fresh(n)), nil
	}
	return nil, nil
}

func blockStyle(n *yaml.Node) *yaml.Node {
	n.Style = 0
	for _, child := range n.Content {
		blockStyle(child)
	}
	return n
}
