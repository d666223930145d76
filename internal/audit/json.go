package audit

import (
	"encoding/json"
	"errors"
	"fmt"

	"pillion.dev/pillion/internal/text/manifest"
	"pillion.dev/pillion/internal/text/yaml/node"
)

var errTooLarge = fmt.Errorf("it is larger than %d MB, which no cluster stores", manifest.MaxItemBytes>>20)

// encode returns a node as JSON on one line. It does not decode the node first, because that takes most of the time of an audit.
func encode(n *node.Node) ([]byte, error) {
	w := jsonWriter{text: make([]byte, 0, 4<<10)}
	w.value(n, 0)
	return w.text, w.err
}

// jsonWriter writes nodes up to a limit, because aliases may repeat them.
type jsonWriter struct {
	text []byte
	err  error
}

func (w *jsonWriter) value(n *node.Node, depth int) {
	n = node.Resolve(n)
	switch {
	case w.err != nil:
	case len(w.text) > manifest.MaxItemBytes:
		w.err = errTooLarge
	case depth > manifest.MaxDepth:
		w.err = fmt.Errorf("it is nested more than %d levels deep", manifest.MaxDepth)
	case node.IsNull(n):
		w.text = append(w.text, "null"...)
	case n.Kind == node.MappingNode:
		w.object(n, depth)
	case n.Kind == node.SequenceNode:
		w.list(n, depth)
	default:
		w.scalar(n)
	}
}

func (w *jsonWriter) object(n *node.Node, depth int) {
	opening := byte('{')
	for key, value := range node.Fields(n) {
		w.text = append(w.text, opening)
		w.string(key)
		w.text = append(w.text, ':')
		w.value(value, depth+1)
		opening = ','
	}
	if opening == '{' {
		w.text = append(w.text, opening)
	}
	w.text = append(w.text, '}')
}

func (w *jsonWriter) list(n *node.Node, depth int) {
	w.text = append(w.text, '[')
	for i, entry := range n.Content {
		if i > 0 {
			w.text = append(w.text, ',')
		}
		w.value(entry, depth+1)
	}
	w.text = append(w.text, ']')
}

func (w *jsonWriter) scalar(n *node.Node) {
	value := node.Scalar(n)
	if text, isText := value.(string); isText {
		w.string(text)
		return
	}
	text, err := json.Marshal(value)
	if err != nil { // infinity is no number in JSON
		w.err = errors.Join(w.err, fmt.Errorf("%s cannot be written as JSON", n.Value))
		return
	}
	w.text = append(w.text, text...)
}

// string appends a string. Most strings need no escapes.
func (w *jsonWriter) string(s string) {
	if needsEscapes(s) {
		escaped, _ := json.Marshal(s) // there is JSON for every string
		w.text = append(w.text, escaped...)
		return
	}
	w.text = append(w.text, '"')
	w.text = append(w.text, s...)
	w.text = append(w.text, '"')
}

func needsEscapes(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' || c > '~' {
			return true
		}
	}
	return false
}
