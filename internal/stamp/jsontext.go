package stamp

import (
	"encoding/json"
	"errors"
	"io"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/lex"
	"pillion.dev/pillion/internal/yaml/node"
)

// JSON in an annotation is read by JSON's rules: to YAML, U+0085 is a line break, and a surrogate pair an error.

var errNotOne = errors.New("it is not one JSON value whose keys are there once, of whole characters")

// readJSON makes nodes of a JSON value. Numbers stay as they are written.
func readJSON(text string) (*yaml.Node, error) {
	if lex.HasLoneSurrogate(text) {
		return nil, errNotOne
	}
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	n, err := jsonValue(decoder, 0)
	if err != nil {
		return nil, err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, errNotOne
	}
	return n, nil
}

func jsonValue(decoder *json.Decoder, depth int) (*yaml.Node, error) {
	token, err := decoder.Token()
	if err != nil || depth > maxDepth {
		return nil, errors.Join(err, errNotOne)
	}
	switch token := token.(type) {
	case json.Delim:
		return jsonContent(decoder, token, depth)
	case string:
		return jsonString(token), nil
	case json.Number:
		return jsonNumber(token.String()), nil
	case bool:
		value := "false"
		if token {
			value = "true"
		}
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!bool", Value: value}, nil
	default:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null", Value: "null"}, nil
	}
}

// jsonContent reads what stands behind a bracket, up to the one that closes it.
func jsonContent(decoder *json.Decoder, opening json.Delim, depth int) (*yaml.Node, error) {
	n := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq", Style: yaml.FlowStyle}
	if opening == '{' {
		n.Kind, n.Tag = yaml.MappingNode, "!!map"
	}
	seen := map[string]bool{}
	for decoder.More() {
		if opening == '{' {
			token, err := decoder.Token()
			key, isString := token.(string)
			if err != nil || !isString || seen[key] {
				return nil, errNotOne
			}
			seen[key] = true
			n.Content = append(n.Content, jsonString(key))
		}
		value, err := jsonValue(decoder, depth+1)
		if err != nil {
			return nil, err
		}
		n.Content = append(n.Content, value)
	}
	_, err := decoder.Token()
	return n, err
}

func jsonString(value string) *yaml.Node {
	n := node.String(value)
	n.Style = yaml.DoubleQuotedStyle
	return n
}

func jsonNumber(text string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode, Value: text}
	if n.Tag = n.ShortTag(); n.Tag == "!!str" { // too large for a float
		n.Tag = "!!float"
	}
	return n
}

// objectText is a JSON value as text.
func objectText(n *yaml.Node) string { return string(appendJSON(nil, n)) }

func appendJSON(dst []byte, n *yaml.Node) []byte {
	switch {
	case n.Kind == yaml.MappingNode:
		dst = append(dst, '{')
		for i := 0; i+1 < len(n.Content); i += 2 {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendJSON(append(appendString(dst, n.Content[i].Value), ':'), n.Content[i+1])
		}
		return append(dst, '}')
	case n.Kind == yaml.SequenceNode:
		dst = append(dst, '[')
		for i, entry := range n.Content {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendJSON(dst, entry)
		}
		return append(dst, ']')
	case n.ShortTag() == "!!str":
		return appendString(dst, n.Value)
	case node.IsNull(n):
		return append(dst, "null"...)
	default:
		return append(dst, n.Value...)
	}
}
