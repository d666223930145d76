package read

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/text/yaml/lex"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// fromLibrary reads a document with yaml.v3. If the reader has found the same nodes, they are returned, with the tags
// of the library; it may have found none. If the library refuses the text too, the error is the problem of the reader,
// which may be nil.
func fromLibrary(text []byte, found *node.Node, problem *Error) (*node.Node, error) {
	document, err := library(text)
	if err == nil {
		c := converter{lines: newLineStarts(text), anchored: map[*yaml.Node]*node.Node{}}
		if found != nil && !lex.HasLoneReturn(text) && c.agree(document, found) {
			return found, nil
		}
		return c.convert(document), nil
	}
	if _, hasSeveral := errors.AsType[*Error](err); hasSeveral || errors.Is(err, io.EOF) {
		return nil, err
	}
	if problem == nil || problem.Message == "" {
		problem = libraryProblem(text, err)
	}
	if better := hint(text, problem.At); better != nil {
		problem = better
	}
	return nil, problem
}

// maxDirectives is how many directives %TAG a document may have, because the library compares each with all others.
const maxDirectives = 32

// library reads a text with exactly one document with yaml.v3. It bounds what the library is given, and turns a panic
// of the library into an error, so that one strange document does not end the whole run.
func library(text []byte) (document *yaml.Node, err error) {
	if strings.Count(otherBreaks.Replace(shared(text)), "\n%TAG") >= maxDirectives { // the first may begin the text
		return nil, fmt.Errorf("this document has more than %d directives %%TAG; remove some", maxDirectives)
	}
	defer func() {
		if r := recover(); r != nil {
			document, err = nil, fmt.Errorf("yaml: the parser failed on this text: %v", r)
		}
	}()
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	document = new(yaml.Node)
	if err := decoder.Decode(document); err != nil {
		return nil, err
	}
	var more yaml.Node
	switch err := decoder.Decode(&more); {
	case err == nil:
		at := newLineStarts(text).offset(more.Line, 1)
		return nil, &Error{At: at, IsYAML: true, Message: "a second YAML document begins here; expected only one"}
	case !errors.Is(err, io.EOF):
		return nil, err
	}
	return document, nil
}

// converter makes nodes of those of the library.
type converter struct {
	lines     lineStarts
	anchored  map[*yaml.Node]*node.Node
	differsAt int // where agree has found a difference
}

// agree reports whether the reader has found the same node as the library, and completes it with what only the library
// knows. A value that is not plain may differ if it has line breaks that only the library takes for such, because they
// do not end it.
func (c *converter) agree(n *yaml.Node, found *node.Node) bool {
	isAlias := n.Kind == yaml.AliasNode
	isFolded := found.Style != 0 && HasOtherBreaks(found.Value)
	c.differsAt = int(found.Start)
	switch {
	case node.Kind(n.Kind) != found.Kind, n.Value != found.Value && !isFolded, (n.Anchor != "") != found.IsAnchored:
		return false
	case node.Style(n.Style)&^node.TaggedStyle != found.Style, !isAlias && len(n.Content) != len(found.Content):
		return false
	case isAlias:
		found.Content[0] = c.anchored[n.Alias]
		return true
	}
	if n.Anchor != "" {
		c.anchored[n] = found
	}
	found.Style, found.Value, found.Tag = node.Style(n.Style), n.Value, tagOf(n)
	for i, child := range n.Content {
		if !c.agree(child, found.Content[i]) {
			return false
		}
	}
	return true
}

// convert returns a node of which only the start is known, as far as characters are bytes.
func (c *converter) convert(n *yaml.Node) *node.Node {
	to := &node.Node{
		Kind: node.Kind(n.Kind), Style: node.Style(n.Style), Tag: tagOf(n), Value: n.Value, IsApproximate: true,
		Start: int32(c.lines.offset(n.Line, n.Column)),
	}
	to.End = to.Start + 1
	if n.Anchor != "" {
		c.anchored[n] = to
		to.IsAnchored = true
	}
	if n.Kind == yaml.AliasNode {
		to.Content = []*node.Node{c.anchored[n.Alias]}
	}
	for _, child := range n.Content {
		to.Content = append(to.Content, c.convert(child))
	}
	return to
}

// tagOf returns the tag of a node, as the reader sets it.
func tagOf(n *yaml.Node) node.Tag {
	switch {
	case n.Kind == yaml.DocumentNode || n.Kind == yaml.AliasNode:
		return node.NoTag
	case n.Kind == yaml.ScalarNode && n.Style == 0:
		return node.PlainTag(n.Value)
	}
	return node.TagOf(n.ShortTag())
}

// otherBreaks are the line breaks that only the library takes for such: a carriage return alone, NEL, LS and PS. Those
// that replace them have the same size.
var otherBreaks = strings.NewReplacer("\r\n", "\r\n", "\r", "\n", "\u0085", " \n", "\u2028", "  \n", "\u2029", "  \n")

// HasOtherBreaks reports whether a text has line breaks that only the library takes for such.
func HasOtherBreaks(text string) bool { return otherBreaks.Replace(text) != text }

// lineStarts holds where the lines of a text start, as the library counts them, and where the text ends.
type lineStarts []int

func newLineStarts(text []byte) lineStarts {
	starts := lineStarts{len(text) - len(bytes.TrimPrefix(text, []byte(lex.ByteOrderMark)))}
	for at, c := range []byte(otherBreaks.Replace(shared(text))) {
		if c == '\n' {
			starts = append(starts, at+1)
		}
	}
	return append(starts, len(text))
}

// offset returns the offset of a line and a column, from 1, as far as characters are bytes.
func (l lineStarts) offset(line, column int) int {
	end := l[len(l)-1]
	if line >= len(l) {
		return end
	}
	return min(l[max(line, 1)-1]+column-1, end)
}

// libraryProblem returns an error of the library as a problem at the first token of its line. The library's scanner
// counts lines from 1, and its parser from 0. What only the library finds is probably due to the line breaks that only
// the library recognises.
func libraryProblem(text []byte, err error) *Error {
	if at := bytes.IndexAny(text, "\u0085\u2028\u2029"); at >= 0 {
		return invisible(text, at)
	}
	message, line := strings.TrimPrefix(err.Error(), "yaml: "), 0
	if n, _ := fmt.Sscanf(message, "line %d:", &line); n > 0 {
		_, message, _ = strings.Cut(message, ": ")
	}
	if strings.HasPrefix(message, "did not find expected") {
		line++
	}
	return &Error{At: lex.SkipSpaces(text, newLineStarts(text).offset(line, 1)), Message: message}
}
