package manifest

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"pillion.dev/pillion/internal/text/yaml/node"
)

var errTooLarge = fmt.Errorf("it is larger than %d MB, which no cluster stores", MaxItemBytes>>20)

// JSON returns a node as JSON on one line, with sorted keys, as kubectl's library does. It does not decode the node
// first, which would take many times as long.
func JSON(n *node.Node) ([]byte, error) {
	w := jsonWriter{text: make([]byte, 0, 4<<10)}
	w.value(n, 0)
	if w.err != nil {
		return nil, w.err
	}
	return w.text, nil
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
	case len(w.text) > MaxItemBytes:
		w.err = errTooLarge
	case depth > MaxDepth:
		w.err = fmt.Errorf("it is nested more than %d levels deep", MaxDepth)
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
	keys, values := node.Keys(n), node.Values(n)
	slices.Sort(keys)
	w.text = append(w.text, '{')
	for i, key := range keys {
		if i > 0 {
			w.text = append(w.text, ',')
		}
		w.string(key)
		w.text = append(w.text, ':')
		w.value(values.Get(key), depth+1)
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
	switch value := value.(type) {
	case string:
		w.string(value)
		return
	case time.Time: // a string to Kubernetes
		w.string(n.Value)
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
	if strings.ContainsFunc(s, needsEscape) {
		escaped, _ := json.Marshal(s) // there is JSON for every string
		w.text = append(w.text, escaped...)
		return
	}
	w.text = append(w.text, '"')
	w.text = append(w.text, s...)
	w.text = append(w.text, '"')
}

func needsEscape(r rune) bool { return r < ' ' || r > '~' || strings.ContainsRune(`"\<>&`, r) }
