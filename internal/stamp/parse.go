package stamp

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"go.yaml.in/yaml/v3"
)

// MaxBytes is what Kubernetes allows for all annotations of an object together.
const MaxBytes = 256 << 10

var errForeign = errors.New("it is not what Pillion writes")

// Parse reads the value of a stamp's annotation. It refuses what Record and String do not write.
func Parse(text string) (*Stamp, error) {
	if len(text) > MaxBytes {
		return nil, fmt.Errorf("it has %d bytes, and the most is %d", len(text), MaxBytes)
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
	if err := errors.Join(s.checkAdded(), s.checkWas(), s.checkCut()); err != nil {
		return nil, err
	}
	return s, nil
}

// noEntries is the fingerprint of a list that was put in and is empty.
var noEntries = hashOf(&yaml.Node{Kind: yaml.SequenceNode})

// checkAdded makes sure that nothing is named whole that injectors only put something into.
func (s *Stamp) checkAdded() error {
	for path, prints := range s.Added {
		if path == "" || len(prints) == 0 {
			return errForeign
		}
		for key, p := range prints {
			byFields := p.Fields != nil
			whole := isList(join(path, key)) && p.Whole != noEntries
			if byFields != isContainers(path) || whole || path == annotationsPath && IsKey(key) {
				return errForeign
			}
		}
	}
	return nil
}

// checkWas makes sure that each text is one that could have stood where it is said to.
func (s *Stamp) checkWas() error {
	for path, texts := range s.Was {
		if len(texts) == 0 {
			return errForeign
		}
		for key, text := range texts {
			was, err := read(text)
			switch {
			case err != nil:
				return err
			case isList(path) && KeyOf(last(path), was) != key, path == "" && !isEmpty(was):
				return errForeign
			}
		}
	}
	return nil
}

func (s *Stamp) checkCut() error {
	for _, entries := range s.Cut {
		if len(entries) == 0 {
			return errForeign
		}
		for _, entry := range entries {
			if _, err := read(entry.Text); err != nil || entry.At < 0 {
				return errForeign
			}
		}
	}
	return nil
}

// read makes a node of text that a stamp keeps. Anchors and aliases have no meaning there.
func read(text string) (*yaml.Node, error) {
	var document, more yaml.Node
	decoder := yaml.NewDecoder(strings.NewReader(text + "\n"))
	if err := decoder.Decode(&document); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("what it keeps of the app's is not YAML: %w", err)
	}
	if len(document.Content) == 0 {
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null"}, nil
	}
	if err := decoder.Decode(&more); !errors.Is(err, io.EOF) {
		return nil, errors.New("what it keeps of the app's is more than one document")
	}
	if !plain(document.Content[0]) {
		return nil, errors.New("what it keeps of the app's has an anchor or an alias")
	}
	return document.Content[0], nil
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
