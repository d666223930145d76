package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"

	"pillion.dev/pillion/internal/engine"
	"pillion.dev/pillion/internal/expression"
	"pillion.dev/pillion/internal/files"
	"pillion.dev/pillion/internal/manifest"
	"pillion.dev/pillion/internal/stamp"
	"pillion.dev/pillion/internal/variable"
	"pillion.dev/pillion/internal/yaml/node"
	"pillion.dev/pillion/internal/yaml/splice"
)

// reader is a function that reads texts of some kinds.
type reader struct {
	name  string
	kinds kind
	read  func(text []byte) error
}

var readers = []reader{
	{"manifest", raw | inside | shape, readItems},
	{"splice", raw | shape, withItem(spliceKey)},
	{"file", raw | shape, func(text []byte) error { files.Manifests("a.yaml", text); return nil }},
	{"config", raw | shape, func(text []byte) error {
		engine.ReadConfig(engine.Source{File: "a.yaml", Text: text})
		return nil
	}},
	{"function", shape, func(text []byte) error { _, err := engine.Run(context.Background(), text, io.Discard); return err }},
	{"inject and remove", inside | shape, injectAndRemove},
	{"inject into the app and remove", shape, injectIntoApp},
	{"variable", raw, func(text []byte) error { variable.Parse(string(text)); return nil }},
	{"expression", raw, func(text []byte) error { _, err := expression.Parse(string(text), "cpu"); return err }},
	{"quantity", raw, func(text []byte) error { _, err := expression.Quantity(string(text)); return err }},
	{"stamp", raw, func(text []byte) error { _, err := stamp.Parse(string(text)); return err }},
	{"annotation", raw, func(text []byte) error {
		quoted := strings.NewReplacer("'", "''", "\n", " ", "\x00", "", "\r", "", "\xff", "").Replace(string(text))
		return injectAndRemove([]byte(strings.Replace(pod, "a: b", "pillion.dev/injected-logs: '"+quoted+"'", 1)))
	}},
	{"ignore file", raw, readIgnored},
}

func readItems(text []byte) error {
	stream, err := manifest.Read(text)
	if err != nil {
		return err
	}
	for _, item := range stream.Items {
		_, _, err = item.Parse()
	}
	return err
}

// withItem returns a reader that calls a function with the first object of a text.
func withItem(read func(text []byte, document, object *node.Node) error) func([]byte) error {
	return func(text []byte) error {
		stream, err := manifest.Read(text)
		if err != nil || len(stream.Items) == 0 {
			return err
		}
		document, object, err := stream.Items[0].Parse()
		if err != nil {
			return err
		}
		return read(stream.Items[0].Text, document, object)
	}
}

// spliceKey adds a key to a mapping, in place and by writing it anew.
func spliceKey(text []byte, before, object *node.Node) error {
	if before.Content[0] != object {
		return nil
	}
	after := node.Clone(before)
	node.Set(node.OwnEntry(after, 0), "added", node.String("value"))
	if _, err := splice.Edits(text, before, after, splice.Past{}); err != nil {
		return err
	}
	anew, err := splice.Rewrite(text, after)
	if err == nil {
		splice.LostComments(text, anew, after)
	}
	return err
}

// injectAndRemove injects twice, and removes.
func injectAndRemove(text []byte) error {
	return apply(strings.ReplaceAll(config, "NAME", "a"), text)
}

// injectIntoApp does the same with variables for every container of the app, all of which are in the stamp.
func injectIntoApp(text []byte) error {
	head, _, _ := strings.Cut(config, "  containers")
	return apply(head+"  appContainers:\n  - env: [{name: LOG, value: json}]\n", text)
}

func apply(config string, text []byte) error {
	inject, _ := engine.ReadConfig(engine.Source{File: "inject.yaml", Text: []byte(config)})
	removing := strings.Replace(config, "spec:\n", "spec:\n  action: Remove\n", 1)
	remove, _ := engine.ReadConfig(engine.Source{File: "remove.yaml", Text: []byte(removing)})
	for _, c := range []engine.Config{inject, inject, remove} {
		result, _ := engine.Apply(context.Background(), c, engine.Source{File: "a.yaml", Text: text})
		for i, source := range result.Texts {
			if i == 0 && source != nil {
				text = source
			}
		}
	}
	return nil
}

func readIgnored(text []byte) error {
	dir, err := os.MkdirTemp("", "steps")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // it is temporary
	for name, content := range map[string][]byte{".gitignore": text, "a.yaml": []byte(pod)} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			return err
		}
	}
	_, err = files.Reader{Take: files.Manifests}.Read(context.Background(), []string{dir})
	return err
}
