package command

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"

	"sigs.k8s.io/yaml"

	"pillion.dev/pillion/internal/edge/files"
	"pillion.dev/pillion/internal/output/page"
	"pillion.dev/pillion/internal/text/manifest"
	"pillion.dev/pillion/internal/text/yaml/node"
	"pillion.dev/pillion/internal/text/yaml/read"
)

// writeJSON writes the objects of the files as JSON: a single one as it is, several as a List, as kubectl prints them. All of them are
// converted before the first one is written.
func writeJSON(to io.Writer, texts []files.File) error {
	objects, err := toJSON(texts)
	if err != nil {
		return err
	}
	var all any = page.Object{"apiVersion", "v1", "kind", "List", "items", entriesOf(objects)}
	if len(objects) == 1 {
		all = objects[0]
	}
	if err := page.WriteJSON(to, all); err != nil {
		return outputError(err)
	}
	return nil
}

func entriesOf(objects []json.RawMessage) page.Entries {
	return func(yield func(any) bool) {
		for _, object := range objects {
			if !yield(object) {
				return
			}
		}
	}
}

// toJSON returns the objects of the files as JSON.
func toJSON(texts []files.File) ([]json.RawMessage, error) {
	var objects []json.RawMessage
	for _, file := range texts {
		items, err := file.Items()
		if errors.Is(err, manifest.ErrEmpty) {
			continue // as --allow-empty allows
		}
		if err != nil {
			return nil, err
		}
		for _, item := range items {
			object, err := itemToJSON(item)
			if err != nil {
				return nil, fmt.Errorf("%s: the object in line %d cannot be written as JSON: %w; print YAML, without -o", file.Path, item.Line, err)
			}
			objects = append(objects, object)
		}
	}
	return objects, nil
}

// itemToJSON returns an item as JSON, with sorted keys. The text of an item in a list starts with the dash of its entry.
func itemToJSON(item *manifest.Item) (json.RawMessage, error) {
	if !item.IsSound() { // such as one of thousands of levels, which would be a huge text if indented
		_, _, err := item.Parse()
		return nil, err
	}
	if json.Valid(item.Text) {
		return item.Text, nil // not all JSON is YAML
	}
	if read.EndsOpen(item.Text) {
		return nil, errOpen
	}
	arena := read.Borrow()
	defer arena.Return()
	if _, object, err := item.ParseIn(arena); err == nil {
		if value, isPlain := plainValue(object); isPlain {
			return json.Marshal(value)
		}
	}
	return libraryJSON(item.Text)
}

// plainValue returns what nodes mean in JSON, if they are only what nearly all manifests consist of. The library takes many times as long
// for that.
func plainValue(n *node.Node) (value any, isPlain bool) {
	switch n.Kind {
	case node.MappingNode:
		return plainMapping(n)
	case node.SequenceNode:
		entries := make([]any, len(n.Content))
		for i, entry := range n.Content {
			if entries[i], isPlain = plainValue(entry); !isPlain {
				return nil, false
			}
		}
		return entries, true
	case node.ScalarNode:
		return plainScalar(n)
	}
	return nil, false
}

func plainMapping(n *node.Node) (value any, isPlain bool) {
	members := make(map[string]any, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if _, isRepeated := members[key.Value]; isRepeated || key.Tag != node.StrTag {
			return nil, false
		}
		if members[key.Value], isPlain = plainValue(n.Content[i+1]); !isPlain {
			return nil, false
		}
	}
	return members, true
}

func plainScalar(n *node.Node) (value any, isPlain bool) {
	switch n.Tag {
	case node.StrTag:
		return n.Value, true
	case node.NullTag:
		return nil, n.Value == "" || n.Value == "null"
	case node.BoolTag:
		return n.Value == "true", n.Value == "true" || n.Value == "false"
	case node.IntTag:
		number, err := strconv.Atoi(n.Value)
		return number, err == nil && strconv.Itoa(number) == n.Value
	}
	return nil, false
}

// libraryJSON returns any YAML as JSON, and the entry of a list alone.
func libraryJSON(yamlText []byte) (json.RawMessage, error) {
	text, err := yaml.YAMLToJSON(yamlText)
	if err != nil {
		return nil, err
	}
	if text = bytes.TrimSpace(text); text[0] == '[' {
		var entries []json.RawMessage
		if err := json.Unmarshal(text, &entries); err != nil {
			return nil, err
		}
		text = entries[0]
	}
	return text, nil
}
