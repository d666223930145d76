package read

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"

	"pillion.dev/pillion/internal/yaml/node"
)

// fromJSON reads an object or a list in JSON by the rules of JSON: YAML refuses some of its escapes and characters, and folds others
// into spaces. The reader does neither; it only is not sure of them.
func fromJSON(text []byte, arena *Arena) (document *node.Node, ok bool) {
	start := len(text) - len(bytes.TrimLeft(text, " \t\r\n"))
	if start == len(text) || text[start] != '{' && text[start] != '[' {
		return nil, false
	}
	if !utf8.Valid(text) || !json.Valid(text) { // json.Valid reads invalid UTF-8 as U+FFFD
		return nil, false
	}
	r := newReader(text, arena)
	r.at = start
	root := r.flowCollection()
	if root == nil {
		return nil, false
	}
	return r.wrapped(node.DocumentNode, start, len(text), root), true
}
