package command

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"sigs.k8s.io/yaml"

	"pillion.dev/pillion/internal/edge/files"
	"pillion.dev/pillion/internal/output/page"
	"pillion.dev/pillion/internal/text/manifest"
	"pillion.dev/pillion/internal/text/yaml/read"
)

// writeJSON writes the objects of the files as JSON: a single one as it is, several as a List, as kubectl prints them.
// All of them are converted before the first one is written.
func writeJSON(to io.Writer, texts []files.File) error {
	objects, err := toJSON(texts)
	if err != nil {
		return err
	}
	items := page.EntriesOf(objects, func(object json.RawMessage) json.RawMessage { return object })
	var all any = page.Object{"apiVersion", "v1", "kind", "List", "items", items}
	if len(objects) == 1 {
		all = objects[0]
	}
	if err := page.WriteJSON(to, all); err != nil {
		return outputError(err)
	}
	return nil
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

// itemToJSON returns an item as JSON, with sorted keys. The text of an item in a list starts with the dash of its
// entry.
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
	if bytes.IndexByte(item.Text, '!') >= 0 { // it may be a tag, and the one in "! yes" is not in the nodes
		return libraryJSON(item.Text)
	}
	arena := read.Borrow()
	defer arena.Return()
	_, object, err := item.ParseIn(arena)
	if err != nil {
		return nil, err
	}
	return manifest.JSON(object)
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
