package command

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"sigs.k8s.io/yaml"

	"pillion.dev/pillion/internal/files"
	"pillion.dev/pillion/internal/manifest"
	"pillion.dev/pillion/internal/yaml/read"
)

// list is the form in which kubectl prints several objects as JSON.
type list struct {
	APIVersion string            `json:"apiVersion"`
	Kind       string            `json:"kind"`
	Items      []json.RawMessage `json:"items"`
}

// toJSON returns the objects of the files as JSON: a single one as it is, several as a List.
func toJSON(texts []files.File) ([]byte, error) {
	all := list{APIVersion: "v1", Kind: "List", Items: []json.RawMessage{}}
	for _, file := range texts {
		stream, err := manifest.Read(file.Text)
		if errors.Is(err, manifest.ErrEmpty) {
			continue // as --allow-empty allows
		}
		if err != nil {
			return nil, err
		}
		for _, item := range stream.Items {
			object, err := itemToJSON(item)
			if err != nil {
				return nil, fmt.Errorf("%s: the object in line %d cannot be written as JSON: %w; print YAML, without -o", file.Path, item.Line, err)
			}
			all.Items = append(all.Items, object)
		}
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	var err error
	if len(all.Items) == 1 {
		err = encoder.Encode(all.Items[0])
	} else {
		err = encoder.Encode(all)
	}
	return b.Bytes(), err
}

// itemToJSON returns an item as JSON. The text of an item in a list starts with the dash of its entry.
func itemToJSON(item *manifest.Item) (json.RawMessage, error) {
	if json.Valid(item.Text) {
		return item.Text, nil // not all JSON is YAML
	}
	text, err := yaml.YAMLToJSON(item.Text)
	if err != nil {
		return nil, err
	}
	if read.EndsOpen(item.Text) {
		return nil, errOpen
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
