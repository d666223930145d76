package stamp

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/manifest"
)

// MaxBytes is what Kubernetes allows for all annotations of an object together.
const MaxBytes = 256 << 10

// Parse reads the value of a stamp's annotation. It refuses what Record and String do not write.
func Parse(text string) (*Stamp, error) {
	if err := checkLength(text); err != nil {
		return nil, err
	}
	s := newStamp()
	written := sealed{Stamp: s}
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&written); err != nil {
		return nil, errForeign
	}
	if s.String() != text {
		return nil, errors.New("it was changed by hand")
	}
	if err := s.Check(); err != nil {
		return nil, err
	}
	return s, nil
}

// readAt makes a node of text that a stamp keeps of the mapping or list at a path: JSON inside of an annotation,
// and else YAML.
func readAt(path, text string) (*yaml.Node, error) {
	if _, inside := inObject(path); inside {
		return readJSON(text)
	}
	return read(text)
}

// read makes a node of text that a stamp keeps. Anchors and aliases have no meaning there.
func read(text string) (*yaml.Node, error) {
	if hasDirectives(text) {
		return nil, errors.New("what it keeps of the app's is more than one document")
	}
	var document yaml.Node
	decoder := yaml.NewDecoder(strings.NewReader(text + "\n"))
	if err := decoder.Decode(&document); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("what it keeps of the app's is not YAML: %w", err)
	}
	if len(document.Content) == 0 {
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null"}, nil
	}
	if !plain(document.Content[0]) {
		return nil, errors.New("what it keeps of the app's has an anchor or an alias")
	}
	if err := manifest.CheckTree(document.Content[0], 1, maxDepth); err != nil {
		return nil, fmt.Errorf("what it keeps of the app's cannot be read in a manifest: %w", err)
	}
	return document.Content[0], nil
}

// hasDirectives tells whether a text has directives or marks of documents. No node is written with these, and
// the library takes long to read many of them.
func hasDirectives(text string) bool {
	isHead := true
	for line := range strings.Lines(text) {
		if isHead && strings.HasPrefix(line, "%") || isMark(line, "---") || isMark(line, "...") {
			return true
		}
		content := strings.TrimLeft(line, " \t\r\n")
		isHead = isHead && (content == "" || content[0] == '#')
	}
	return false
}

// isMark tells whether a line begins or ends a document.
func isMark(line, mark string) bool {
	rest, marked := strings.CutPrefix(line, mark)
	return marked && strings.Trim(rest[:min(1, len(rest))], " \t\r\n") == ""
}

func plain(n *yaml.Node) bool {
	if n.Kind == yaml.AliasNode || n.Anchor != "" {
		return false
	}
	for _, child := range n.Content {
		if !plain(child) {
			return false
		}
	}
	return true
}
