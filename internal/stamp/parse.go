package stamp

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/node"
	"pillion.dev/pillion/internal/yaml/parse"
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
	document, err := parse.Commented([]byte(text + "\n"))
	if err != nil {
		return nil, fmt.Errorf("what it keeps of the app's is not YAML: %w", err)
	}
	if len(document.Content) == 0 {
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null"}, nil
	}
	if err := checkKept(document.Content[0], 0); err != nil {
		return nil, fmt.Errorf("what it keeps of the app's %w", err)
	}
	return document.Content[0], nil
}

// hasDirectives tells whether a text has directives or marks of documents. No node is written with these.
func hasDirectives(text string) bool {
	isHead := true
	text = strings.TrimPrefix(strings.ReplaceAll(text, "\r", "\n"), "\ufeff") // both end lines, and a mark may begin a text
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

// checkKept refuses what a manifest cannot hold, or not on its own.
func checkKept(n *yaml.Node, depth int) error {
	switch {
	case n.Kind == yaml.AliasNode || n.Anchor != "":
		return errors.New("has an anchor or an alias")
	case depth > maxDepth:
		return fmt.Errorf("is nested more than %d levels deep", maxDepth)
	case n.Kind == yaml.MappingNode:
		if err := checkKeys(n); err != nil {
			return err
		}
	}
	for _, child := range n.Content {
		if err := checkKept(child, depth+1); err != nil {
			return err
		}
	}
	return nil
}

func checkKeys(m *yaml.Node) error {
	seen := make(map[string]bool, len(m.Content)/2)
	for i := 0; i+1 < len(m.Content); i += 2 {
		name, isName := node.KeyName(m.Content[i])
		if !isName || name != m.Content[i].Value {
			return errors.New("has a key that is not a string")
		}
		if seen[name] {
			return fmt.Errorf("has the key %q twice", name)
		}
		seen[name] = true
	}
	return nil
}
