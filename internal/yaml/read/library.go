package read

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/lex"
	"pillion.dev/pillion/internal/yaml/node"
)

// SeveralDocumentsError reports that a second document follows the first.
type SeveralDocumentsError struct {
	// Line is the line on which the second document begins, from 1.
	Line int
}

func (e *SeveralDocumentsError) Error() string {
	return fmt.Sprintf("line %d: a second YAML document begins here; expected only one", e.Line)
}

// fromLibrary reads a document with yaml.v3. The ranges of its nodes are those of the document that the reader has read, which may be
// nil. If the library refuses the text too, the error is the problem of the reader, which may be nil.
func fromLibrary(text []byte, ranges *node.Node, found *Error) (*node.Node, error) {
	document, err := guarded(text, func() (*yaml.Node, error) { return library(text) })
	if err == nil {
		c := converter{last: newCursor(text), copies: map[*yaml.Node]*node.Node{}}
		c.approximate = ranges == nil || lex.HasLoneReturn(text) || !c.agrees(document, ranges)
		return c.convert(document, ranges), nil
	}
	var several *SeveralDocumentsError
	if errors.Is(err, io.EOF) || errors.As(err, &several) {
		return nil, err
	}
	if found == nil || found.Message == "" {
		found = libraryProblem(text, err)
	}
	if better := hint(text, found.At); better != nil {
		found = better
	}
	return nil, found
}

// maxDirectives is how many directives %TAG a document may have, because the library compares each with all others.
const maxDirectives = 32

// guarded bounds what the library is given, and turns a panic of the library into an error, so that one strange document does not end
// the whole run.
func guarded(text []byte, read func() (*yaml.Node, error)) (document *yaml.Node, err error) {
	if strings.Count(otherBreaks.Replace(shared(text)), "\n%TAG") >= maxDirectives { // the first may begin the text
		return nil, fmt.Errorf("this document has more than %d directives %%TAG; remove some", maxDirectives)
	}
	defer func() {
		if r := recover(); r != nil {
			document, err = nil, fmt.Errorf("yaml: the parser failed on this text: %v", r)
		}
	}()
	return read()
}

// library reads a text with exactly one document with yaml.v3.
func library(text []byte) (*yaml.Node, error) {
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	document := new(yaml.Node)
	if err := decoder.Decode(document); err != nil {
		return nil, err
	}
	var more yaml.Node
	switch err := decoder.Decode(&more); {
	case err == nil:
		return nil, &SeveralDocumentsError{Line: more.Line}
	case !errors.Is(err, io.EOF):
		return nil, err
	}
	return document, nil
}

// converter makes nodes of those of the library.
type converter struct {
	last cursor // the position of the last node
	// approximate is set if the ranges are not known.
	approximate bool
	copies      map[*yaml.Node]*node.Node
}

// agrees reports whether the reader has found the same nodes as the library at the same places. The place of a value that is written as
// nothing does not matter.
func (c *converter) agrees(n *yaml.Node, as *node.Node) bool {
	if uint8(n.Kind) != uint8(as.Kind) {
		return false
	}
	isEmpty := as.Kind == node.ScalarNode && as.Start == as.End
	switch {
	case isEmpty && (n.Value != "" || n.Style&^yaml.TaggedStyle != 0):
		return false
	case !isEmpty && n.Kind != yaml.DocumentNode && c.last.move(n.Line, n.Column) != int(as.Start):
		return false
	case n.Kind == yaml.AliasNode:
		return n.Value == as.Value
	case len(n.Content) != len(as.Content):
		return false
	}
	for i, child := range n.Content {
		if !c.agrees(child, as.Content[i]) {
			return false
		}
	}
	return true
}

// convert returns a node of the library with the range of another.
func (c *converter) convert(n *yaml.Node, ranges *node.Node) *node.Node {
	to := &node.Node{Kind: node.Kind(n.Kind), Style: node.Style(n.Style), Tag: node.TagOf(n.ShortTag()), Value: n.Value}
	switch {
	case n.Kind == yaml.DocumentNode || n.Kind == yaml.AliasNode:
		to.Tag = node.NoTag
	case n.Kind == yaml.ScalarNode && n.Style == 0:
		to.Tag = node.PlainTag(n.Value)
	}
	if n.Anchor != "" {
		c.copies[n] = to
		to.IsAnchored = true
	}
	if c.approximate {
		to.IsApproximate = true
		to.Start = int32(max(c.last.move(n.Line, n.Column), 0))
		to.End = to.Start + 1
	} else {
		to.Start, to.End = ranges.Start, ranges.End
	}
	if n.Kind == yaml.AliasNode {
		to.Content = []*node.Node{c.copies[n.Alias]}
	}
	for i, child := range n.Content {
		var inside *node.Node
		if !c.approximate {
			inside = ranges.Content[i]
		}
		to.Content = append(to.Content, c.convert(child, inside))
	}
	return to
}

// fromParser matches the messages of the library's parser that do not begin like those of its scanner.
var fromParser = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^did not find expected (<|node|'-'|key|',')`) })

// libraryProblem returns an error of the library as a problem at the first token of its line. The library's scanner counts lines from
// 1, and its parser from 0. What only the library finds is probably due to the line breaks that only the library recognises.
func libraryProblem(text []byte, err error) *Error {
	if at := bytes.IndexAny(text, "\u0085\u2028\u2029"); at >= 0 {
		return invisible(text, at)
	}
	message, line := strings.TrimPrefix(err.Error(), "yaml: "), 0
	if n, _ := fmt.Sscanf(message, "line %d:", &line); n > 0 {
		_, message, _ = strings.Cut(message, ": ")
	}
	if fromParser().MatchString(message) {
		line++
	}
	at := newCursor(text)
	at.move(line, 1)
	return &Error{At: lex.SkipSpaces(text, at.start), Message: message} // the last line if there are fewer
}
