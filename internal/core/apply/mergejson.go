package apply

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"reflect"
	"strings"

	"pillion.dev/pillion/internal/text/yaml/lex"
)

// mergeJSON merges a JSON object into another by RFC 7386. An empty text counts as an empty object. If nothing changes,
// the text stays as it was written; otherwise its keys are sorted.
func mergeJSON(current, patch string) (string, error) {
	text := cmp.Or(current, "{}")
	if lex.HasLoneSurrogate(text) {
		return "", errors.New("it has half of a surrogate pair (\\ud800 to \\udfff), " +
			"which is not a character and cannot be kept")
	}
	before, err := readObject(text)
	if err != nil {
		return "", err
	}
	changes, err := readObject(patch)
	if err != nil {
		return "", err
	}
	after := merge(before, changes)
	if reflect.DeepEqual(before, after) {
		return current, nil
	}
	return writeObject(after)
}

// merge returns an object with a patch merged into it by RFC 7386: null removes a key, objects are merged, and anything
// else, such as a list with all its entries, replaces what was there.
func merge(object, patch map[string]any) map[string]any {
	merged := make(map[string]any, len(object)+len(patch))
	maps.Copy(merged, object)
	for key, value := range patch {
		switch changes := value.(type) {
		case nil:
			delete(merged, key)
		case map[string]any:
			inner, _ := merged[key].(map[string]any)
			merged[key] = merge(inner, changes)
		default:
			merged[key] = value
		}
	}
	return merged
}

// readObject reads a JSON object, with numbers as they are written.
func readObject(text string) (map[string]any, error) {
	var value any
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		return nil, err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("there is more text after the JSON value")
	}
	object, ok := value.(map[string]any)
	if !ok {
		return nil, errors.New("it is another JSON value")
	}
	return object, nil
}

// writeObject writes a JSON object, with <, > and & as they are.
func writeObject(object map[string]any) (string, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(object)
	return string(bytes.TrimSpace(text.Bytes())), err
}
