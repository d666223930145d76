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

// Parse reads the value of a stamp's annotation. It refuses what Record and String do not write.
func Parse(text string) (*Stamp, error) {
	if err := validateLength(text); err != nil {
		return nil, err
	}
	s := newStamp()
	written := struct {
		*Stamp
		Sum string `json:"sum"`
	}{Stamp: s}
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&written); err != nil {
		return nil, errForeign
	}
	if s.String() != text { // the checksum included
		return nil, errors.New("it was changed by hand")
	}
	if err := s.validate(); err != nil {
		return nil, err
	}
	return s, nil
}

// readText reads a text that a stamp keeps of the mapping or list at a path: JSON inside an annotation, otherwise YAML.
func readText(path, text string) (*yaml.Node, error) {
	if insideAnnotation(path) {
		return readJSON(text)
	}
	return readYAML(text)
}

// readYAML reads YAML that a stamp keeps. It must be one value without anchors and aliases.
func readYAML(text string) (*yaml.Node, error) {
	if hasDirectives(text) {
		return nil, errors.New("a text in it has more than one document")
	}
	document, err := parse.Commented([]byte(text + "\n"))
	if err != nil {
		return nil, fmt.Errorf("a text in it is not YAML: %w", err)
	}
	if len(document.Content) == 0 {
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null"}, nil
	}
	if err := validateValue(document.Content[0], 0); err != nil {
		return nil, fmt.Errorf("a text in it %w", err)
	}
	return document.Content[0], nil
}

// hasDirectives reports whether a text has directives or document markers, which are not part of any value.
func hasDirectives(text string) bool {
	isHead := true
	text = strings.TrimPrefix(strings.ReplaceAll(text, "\r", "\n"), "\ufeff") // \r ends lines, too
	for line := range strings.Lines(text) {
		if isHead && strings.HasPrefix(line, "%") || isMarker(line, "---") || isMarker(line, "...") {
			return true
		}
		content := strings.TrimLeft(line, " \t\r\n")
		isHead = isHead && (content == "" || content[0] == '#')
	}
	return false
}

// isMarker reports whether a line begins or ends a document.
func isMarker(line, marker string) bool {
	rest, marked := strings.CutPrefix(line, marker)
	return marked && strings.Trim(rest[:min(1, len(rest))], " \t\r\n") == ""
}

// validateValue refuses what a manifest cannot hold, or only together with text from elsewhere.
func validateValue(n *yaml.Node, depth int) error {
	switch {
	case n.Kind == yaml.AliasNode || n.Anchor != "":
		return errors.New("has an anchor or an alias")
	case depth > maxDepth:
		return fmt.Errorf("is nested more than %d levels deep", maxDepth)
	case n.Kind == yaml.MappingNode:
		if err := validateKeys(n); err != nil {
			return err
		}
	}
	for _, child := range n.Content {
		if err := validateValue(child, depth+1); err != nil {
			return err
		}
	}
	return nil
}

func validateKeys(m *yaml.Node) error {
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
