// Package encode turns Go values with JSON tags, such as those of Kubernetes' API types, into the YAML nodes that a
// person would write for them: without the zero values that encoding/json cannot leave out, and with fields in their
// order.
package encode

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"pillion.dev/pillion/internal/text/jsonfield"
	"pillion.dev/pillion/internal/text/yaml/emit"
	"pillion.dev/pillion/internal/text/yaml/node"
	"pillion.dev/pillion/internal/text/yaml/read"
)

// Node returns a value as YAML nodes in block style. Fields that may be left out and have their zero value are left
// out, structs included; a pointer to a zero value is not. A required field that is null is left out as well.
func Node(value any) (*node.Node, error) {
	n, err := encode(reflect.ValueOf(value))
	if err == nil && n == nil {
		n = &node.Node{Kind: node.ScalarNode, Tag: node.NullTag, Value: "null"}
	}
	return n, err
}

// encode returns nil for what is null in JSON.
func encode(v reflect.Value) (*node.Node, error) {
	switch kind := v.Kind(); {
	case kind == reflect.Invalid || isNilable(kind) && v.IsNil():
		return nil, nil
	case v.CanInterface() && isMarshaler(v.Type()):
		return marshalled(v)
	case kind == reflect.Pointer || kind == reflect.Interface:
		return encode(v.Elem())
	case kind == reflect.Struct:
		return structure(v)
	case kind == reflect.Map:
		return mapping(v)
	case kind == reflect.Slice || kind == reflect.Array:
		return list(v)
	case kind == reflect.String:
		return text(v.String()), nil
	}
	return marshalled(v)
}

func isNilable(kind reflect.Kind) bool {
	return kind == reflect.Pointer || kind == reflect.Interface || kind == reflect.Map || kind == reflect.Slice
}

// isMarshaler reports whether a type writes itself, as quantities do. A byte slice is base64 in JSON.
func isMarshaler(t reflect.Type) bool {
	return reflect.PointerTo(t).Implements(reflect.TypeFor[json.Marshaler]()) ||
		t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8
}

func structure(v reflect.Value) (*node.Node, error) {
	m := node.Mapping()
	for _, field := range jsonfield.Of(v.Type()) {
		value, err := v.FieldByIndexErr(field.Index)
		if err != nil || !field.Required && isUnset(value, v.Type().FieldByIndex(field.Index).Tag.Get("json")) {
			continue
		}
		if err := add(m, field.Name, value); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// isUnset reports whether an optional field is not set. An empty list or map counts as not set unless its tag is
// omitzero, as in encoding/json.
func isUnset(v reflect.Value, tag string) bool {
	isCollection := v.Kind() == reflect.Slice || v.Kind() == reflect.Map
	return v.IsZero() || isCollection && v.Len() == 0 && strings.Contains(tag, "omitempty")
}

func mapping(v reflect.Value) (*node.Node, error) {
	name := func(key reflect.Value) string { return fmt.Sprint(key.Interface()) }
	keys := v.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(name(a), name(b)) })
	m := node.Mapping()
	for _, key := range keys {
		if err := add(m, name(key), v.MapIndex(key)); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// add adds a value to a mapping, unless it is null.
func add(m *node.Node, name string, value reflect.Value) error {
	n, err := encode(value)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if n != nil {
		m.Content = append(m.Content, text(name), n)
	}
	return nil
}

func list(v reflect.Value) (*node.Node, error) {
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
func text(value string) *node.Node {
	n := node.String(value)
	switch {
	case strings.Contains(value, "\n"):
		n.Style = node.LiteralStyle
	case !emit.SafePlain(value, false):
		n.Style = node.DoubleQuotedStyle
	}
	return n
}

// marshalled returns what encoding/json makes of a value.
func marshalled(v reflect.Value) (*node.Node, error) {
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
	var document node.Node
	if err := read.Into(data, &document); err != nil {
		return nil, err
	}
	if n := document.Content[0]; !node.IsNull(n) {
		return blockStyle(node.Fresh(n)), nil
	}
	return nil, nil
}

func blockStyle(n *node.Node) *node.Node {
	n.Style = 0
	for _, child := range n.Content {
		blockStyle(child)
	}
	return n
}
