package parse

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/lex"
)

// SeveralDocumentsError reports that a second document follows the first.
type SeveralDocumentsError struct {
	// Line is the line on which the second document begins, from 1.
	Line int
}

func (e *SeveralDocumentsError) Error() string {
	return fmt.Sprintf("line %d: a second YAML document begins here; expected only one", e.Line)
}

// Commented reads the first document of the text, with comments in its nodes.
func Commented(text []byte) (*yaml.Node, error) {
	return guarded(text, func() (*yaml.Node, error) {
		document := new(yaml.Node)
		return document, yaml.Unmarshal(text, document)
	})
}

// EndsOpen reports whether a stream ends inside of a block scalar on a line that is not ended, so that a line end would
// change the scalar. Readers that add a line end themselves read such a text differently from others.
func EndsOpen(text []byte) bool {
	if len(text) == 0 || text[len(text)-1] == '\n' {
		return false
	}
	text = lastDocument(text)
	return lastScalar(text) != lastScalar(append(bytes.Clone(text), '\n'))
}

// lastScalar returns the value of the scalar that a document ends with, or nothing if the document cannot be read.
func lastScalar(text []byte) string {
	n, err := Document(text)
	if err != nil {
		return ""
	}
	for len(n.Content) > 0 {
		n = n.Content[len(n.Content)-1]
	}
	return n.Value
}

// lastDocument returns the text of the last document of a stream, with its directives.
func lastDocument(text []byte) []byte {
	start, head, at := 0, 0, 0 // where the last document begins, and where its directives may
	for line := range bytes.Lines(text) {
		switch {
		case lex.IsMarkerAt(line, 0) && line[0] == '-':
			start, head = head, at+len(line)
		case lex.IsMarkerAt(line, 0):
			start, head = at+len(line), at+len(line)
		case len(bytes.TrimSpace(line)) > 0 && line[0] != '%' && line[0] != '#':
			head = at + len(line)
		}
		at += len(line)
	}
	return text[start:]
}

// guarded bounds what the library is given, and turns a panic of the library into an error, so that one strange document
// does not end the whole run.
func guarded(text []byte, read func() (*yaml.Node, error)) (document *yaml.Node, err error) {
	if err := checkDirectives(text); err != nil {
		return nil, err
	}
	defer func() {
		if r := recover(); r != nil {
			document, err = nil, fmt.Errorf("yaml: the parser failed on this text: %v", r)
		}
	}()
	return read()
}

// library reads the document with yaml.v3.
func library(text []byte) (*yaml.Node, error) {
	return guarded(text, func() (*yaml.Node, error) { return decodeOne(text) })
}

func decodeOne(text []byte) (*yaml.Node, error) {
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	document := new(yaml.Node)
	if err := decoder.Decode(document); err != nil {
		return nil, err
	}
	var more yaml.Node
	if err := decoder.Decode(&more); err == nil {
		return nil, &SeveralDocumentsError{Line: more.Line}
	} else if !errors.Is(err, io.EOF) {
		return nil, err
	}
	dropComments(document)
	return document, nil
}

// dropComments makes the library's nodes like those of the fast reader, so that nothing depends on which one was used.
func dropComments(n *yaml.Node) {
	n.HeadComment, n.LineComment, n.FootComment = "", "", ""
	for _, child := range n.Content {
		dropComments(child)
	}
}
