package command

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"

	"sigs.k8s.io/yaml"

	"pillion.dev/pillion/fn"
	"pillion.dev/pillion/internal/manifest"
)

// list is how kubectl prints several objects as JSON.
type list struct {
	APIVersion string            `json:"apiVersion"`
	Kind       string            `json:"kind"`
	Items      []json.RawMessage `json:"items"`
}

// writeJSON writes the objects in the texts as JSON: one as it is, several as a List.
func writeJSON(w io.Writer, texts [][]byte) error {
	all := list{APIVersion: "v1", Kind: "List"}
	for _, text := range texts {
		stream, err := manifest.Read(text)
		if err != nil {
			return err
		}
		for _, item := range stream.Items {
			object, err := toJSON(item)
			if err != nil {
				return err
			}
			all.Items = append(all.Items, object)
		}
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if len(all.Items) == 1 {
		return encoder.Encode(all.Items[0])
	}
	return encoder.Encode(all)
}

// toJSON is an item as JSON. One that stands in a list has the dash of that list.
func toJSON(item manifest.Item) (json.RawMessage, error) {
	text, err := yaml.YAMLToJSON(item.Text)
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

// nameOf is an object's name as kubectl writes it: deployment.apps/web.
func nameOf(o fn.Object) string {
	kind := strings.ToLower(o.Kind)
	if group, _, ok := strings.Cut(o.APIVersion, "/"); ok {
		kind += "." + group
	}
	return kind + "/" + o.Name
}
