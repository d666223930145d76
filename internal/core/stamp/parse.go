package stamp

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"pillion.dev/pillion/internal/text/yaml/node"
	"pillion.dev/pillion/internal/text/yaml/read"
)

// NewerError reports a stamp in a format that this version of Pillion does not know.
type NewerError struct{ Format string }

func (e *NewerError) Error() string {
	return "it has format " + e.Format + ", and this version reads format " + format
}

// Parse reads the value of a stamp's annotation. It refuses what String does not write.
func Parse(text string) (*Stamp, error) {
	if err := validateLength(text); err != nil {
		return nil, err
	}
	if err := validateFormat(text); err != nil {
		return nil, err
	}
	end := strings.LastIndexByte(text, ' ')
	if shortHash([]byte(text[:end])) != text[end+1:] {
		return nil, errChanged
	}
	s := &Stamp{}
	for rest := text[len(format):end]; rest != ""; {
		var ok bool
		if rest, ok = s.readWord(rest); !ok {
			return nil, errForeign
		}
	}
	if string(s.text()) != text {
		return nil, errForeign
	}
	if err := s.validate(); err != nil {
		return nil, err
	}
	return s, nil
}

// validateFormat makes sure that a text begins with the version of the format, and a space.
func validateFormat(text string) error {
	version, _, found := strings.Cut(text, " ")
	if found && version == format {
		return nil
	}
	if number, err := strconv.Atoi(version); found && err == nil && number > 1 {
		return &NewerError{strconv.Itoa(number)}
	}
	return errForeign
}

// readWord reads a space and the word behind it, and returns the rest. See String for the words.
func (s *Stamp) readWord(text string) (rest string, ok bool) {
	path, rest, ok := cutKey(strings.TrimPrefix(text, " "))
	if !ok || rest == "" {
		return "", false
	}
	path = lengthen(path)
	for first := byte('('); rest[0] == first; first = ' ' {
		if rest, ok = s.readItem(path, rest[1:]); !ok || rest == "" {
			return "", false
		}
	}
	return strings.CutPrefix(rest, ")")
}

// readItem reads what a stamp has about a key in the list or mapping at a path.
func (s *Stamp) readItem(path, text string) (rest string, ok bool) {
	at := Address{Path: path}
	c := Change{}
	at.Key, rest, ok = cutKey(text)
	if hash, isAdded := strings.CutPrefix(rest, ":"); isAdded && len(hash) >= hashBytes {
		c.Hash = hash[:hashBytes]
		rest = hash[hashBytes:]
		if text[0] == ':' {
			at.Key = hashMark + c.Hash
		}
	}
	for ok && strings.HasPrefix(rest, "&") {
		rest, ok = s.readPart(at, rest[1:])
	}
	if ok && strings.HasPrefix(rest, "=") {
		var was string
		was, rest, ok = cutString(rest[1:])
		c.Before = &was
	}
	if c != (Change{}) {
		s.change(at, func(is *Change) { *is = c })
	}
	return rest, ok
}

// cutKey cuts a path or key off the front of a text, which may be in quotes.
func cutKey(text string) (key, rest string, ok bool) {
	if strings.HasPrefix(text, `"`) {
		return cutString(text)
	}
	end := strings.IndexAny(text, keyEnds)
	if end < 0 {
		end = len(text)
	}
	return text[:end], text[end:], true
}

// cutString cuts a JSON string off the front of a text.
func cutString(text string) (value, rest string, ok bool) {
	end := 1
	for end < len(text) && text[end] != '"' {
		if text[end] == '\\' {
			end++
		}
		end++
	}
	if end >= len(text) || json.Unmarshal([]byte(text[:end+1]), &value) != nil {
		return "", "", false
	}
	return value, text[end+1:], true
}

// CanRecord reports whether a stamp can keep a text for something: it means the same on its own.
func CanRecord(text string, n *node.Node) bool {
	kept, err := ReadText(text)
	return err == nil && node.Equal(kept, n) && sameKeys(kept, n)
}

// sameKeys reports whether two equal nodes have the same keys in the same order, those that are null included:
// node.Equal ignores them.
func sameKeys(a, b *node.Node) bool {
	a = node.Resolve(a)
	b = node.Resolve(b)
	if len(a.Content) != len(b.Content) {
		return false
	}
	for i, child := range a.Content {
		switch isKey := a.Kind == node.MappingNode && i%2 == 0; {
		case isKey && child.Value != b.Content[i].Value, !isKey && !sameKeys(child, b.Content[i]):
			return false
		}
	}
	return true
}

// ReadText reads YAML that a stamp keeps. It must be one value without anchors and aliases.
func ReadText(text string) (*node.Node, error) {
	if hasDirectives(text) {
		return nil, errors.New("a text in it has more than one document")
	}
	document, err := read.Document([]byte(text + "\n"))
	switch {
	case errors.Is(err, io.EOF):
		return &node.Node{Kind: node.ScalarNode, Tag: node.NullTag}, nil
	case err != nil:
		return nil, fmt.Errorf("a text in it is not YAML: %w", err)
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
func validateValue(n *node.Node, depth int) error {
	switch {
	case n.Kind == node.AliasNode || n.IsAnchored:
		return errors.New("has an anchor or an alias")
	case depth > maxDepth:
		return fmt.Errorf("is nested more than %d levels deep", maxDepth)
	case n.Kind == node.MappingNode:
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

func validateKeys(m *node.Node) error {
	seen := make(map[string]bool, len(m.Content)/2)
	for i := 0; i+1 < len(m.Content); i += 2 {
		name, isName := node.KeyName(m.Content[i])
		if !isName || name != m.Content[i].Value || m.Content[i].Tag == node.MergeTag {
			return errors.New("has a key that is not a string")
		}
		if seen[name] {
			return fmt.Errorf("has the key %q twice", name)
		}
		seen[name] = true
	}
	return nil
}
