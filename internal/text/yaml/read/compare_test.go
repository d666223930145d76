package read

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"unicode"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/text/yaml/lex"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// reference reads the text as yaml.v3 does, and turns its panics into errors. It does not use the code of this package.
func reference(text []byte) (document *yaml.Node, err error) {
	defer func() {
		if r := recover(); r != nil {
			document, err = nil, fmt.Errorf("panic: %v", r)
		}
	}()
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	document = new(yaml.Node)
	if err := decoder.Decode(document); err != nil {
		return nil, err
	}
	if err := decoder.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("more than one document: %w", err)
	}
	return document, nil
}

// sure reads a text with the reader alone, and reports whether it is sure of it.
func sure(text []byte) (document *node.Node, ok bool) {
	r := newReader(text, new(Arena))
	document = r.document()
	return document, document != nil && !r.unsure && r.at == len(text)
}

// comparison compares the nodes of a text with those of the library.
type comparison struct{ last cursor }

// difference returns where two trees differ, or nothing.
func (c *comparison) difference(got *node.Node, want *yaml.Node) string {
	if g, w := own(got), ownOfLibrary(want); g != w {
		return fmt.Sprintf("\n got %+v\nwant %+v", g, w)
	}
	isEmpty := got.Start == got.End // the library may put it where the next token is
	if want.Kind != yaml.DocumentNode && !isEmpty && (!got.IsApproximate || !c.hasWideCharacters()) {
		if at := c.last.move(want.Line, want.Column); int(got.Start) != at && at >= 0 { // it may be behind the text
			return fmt.Sprintf("%q begins at %d, want %d", got.Value, got.Start, at)
		}
	}
	if want.Kind == yaml.AliasNode {
		if at := c.anchorOf(want); int(got.Content[0].Start) != at && !got.IsApproximate {
			return fmt.Sprintf("*%s refers to %d, want %d", got.Value, got.Content[0].Start, at)
		}
		return ""
	}
	if len(got.Content) != len(want.Content) {
		return fmt.Sprintf("got %d children, want %d", len(got.Content), len(want.Content))
	}
	for i := range got.Content {
		if d := c.difference(got.Content[i], want.Content[i]); d != "" {
			return fmt.Sprintf("%d/%s", i, d)
		}
	}
	return ""
}

// hasWideCharacters reports whether columns may not be offsets in the line.
func (c *comparison) hasWideCharacters() bool {
	return strings.ContainsFunc(c.last.text, func(r rune) bool { return r > unicode.MaxASCII })
}

// anchorOf returns where the node is that an alias refers to.
func (c *comparison) anchorOf(alias *yaml.Node) int {
	from := c.last
	return from.move(alias.Alias.Line, alias.Alias.Column)
}

// flat is all that a node holds, except other nodes and its range.
type flat struct {
	kind       node.Kind
	style      node.Style
	tag, value string
	anchored   bool
}

func own(n *node.Node) flat { return flat{n.Kind, n.Style, n.Tag.String(), n.Value, n.IsAnchored} }

func ownOfLibrary(n *yaml.Node) flat {
	tag := node.TagOf(n.ShortTag()).String()
	if n.Kind == yaml.AliasNode || n.Kind == yaml.DocumentNode {
		tag = ""
	}
	if n.Kind == yaml.ScalarNode && n.Style == 0 && isBoolOfKubectl(n.Value) {
		tag = "!!bool"
	}
	return flat{node.Kind(n.Kind), node.Style(n.Style), tag, n.Value, n.Anchor != ""}
}

// checkSure compares the reader with the library: it may be unsure, but what it is sure of must be right.
func checkSure(t *testing.T, text []byte) (accepted bool) {
	t.Helper()
	before := bytes.Clone(text)
	got, ok := sure(text)
	if !bytes.Equal(before, text) {
		t.Errorf("the text was changed: %q became %q", before, text)
	}
	if !ok {
		return false
	}
	want, err := reference(text)
	if err != nil {
		t.Errorf("accepted %q, which the library refuses: %v", text, err)
		return true
	}
	c := comparison{newCursor(text)}
	if d := c.difference(got, want); d != "" {
		t.Errorf("%q is read in another way: %s", text, d)
		return true
	}
	if d := rangeProblem(text, got); d != "" {
		t.Errorf("%q: %s", text, d)
	}
	return true
}

// checkDocument compares Document, however it reads the text, with the library.
func checkDocument(t *testing.T, text []byte) {
	t.Helper()
	got, err := Document(text)
	want, wantErr := reference(text)
	if (err == nil) != (wantErr == nil) {
		t.Errorf("%q: got error %v, want %v", text, err, wantErr)
		return
	}
	if err != nil {
		if at, ok := errors.AsType[*Error](err); ok && (at.At < 0 || at.At > len(text) || at.Message == "") {
			t.Errorf("%q: the error is at %d: %s", text, at.At, at.Message)
		}
		return
	}
	c := comparison{newCursor(text)}
	if d := c.difference(got, want); d != "" {
		t.Errorf("%q: %s", text, d)
		return
	}
	if d := rangeProblem(text, got); d != "" {
		t.Errorf("%q: %s", text, d)
	}
}

// rangeProblem reports a node whose text, read alone, is not that node, or that is not inside of the collection around
// it.
func rangeProblem(text []byte, document *node.Node) string {
	root := document.Content[0]
	if root.IsApproximate || bytes.Contains(text, []byte("%TAG")) { // parts of the text do not have the directive
		return ""
	}
	return rangesInside(text, root, surroundings{column: -1})
}

// surroundings are the column of the block collection around a node, whether it is in brackets, and whether it is a
// key.
type surroundings struct {
	column      int
	flow, isKey bool
}

// rangesInside checks a node and what is inside of it.
func rangesInside(text []byte, n *node.Node, in surroundings) string {
	if n.Start < 0 || n.End < n.Start || int(n.End) > len(text) {
		return fmt.Sprintf("%q has the range %d to %d", n.Value, n.Start, n.End)
	}
	if d := rereadProblem(text, n, in); d != "" {
		return d
	}
	if n.Kind == node.AliasNode {
		return ""
	}
	inside := surroundings{columnOf(text, contentStart(text, n)), in.flow || n.Style&node.FlowStyle != 0, false}
	last := n.Start
	for i, child := range n.Content {
		if child.Start < last || child.End > n.End {
			return fmt.Sprintf("%q from %d to %d is not behind %d in %d to %d", child.Value, child.Start, child.End, last, n.Start, n.End)
		}
		last = child.End
		inside.isKey = n.Kind == node.MappingNode && i%2 == 0
		if d := rangesInside(text, child, inside); d != "" {
			return d
		}
	}
	return ""
}

// contentStart returns the offset behind the properties of a node. Those on the line of a key are the key's.
func contentStart(text []byte, n *node.Node) int {
	if !n.IsAnchored && n.Style&node.TaggedStyle == 0 {
		return int(n.Start)
	}
	at := int(n.Start)
	for at < len(text) && (text[at] == '&' || text[at] == '!') {
		at = lex.SkipSpace(text, lex.WordEnd(text, at, false))
	}
	return at
}

// columnOf returns the column of an offset in bytes, as far as a byte order mark does not count.
func columnOf(text []byte, at int) int {
	line := bytes.TrimPrefix(text[:at], []byte(lex.ByteOrderMark))
	return len(line) - 1 - bytes.LastIndexByte(line, '\n')
}

// rereadProblem reports a node whose text is not read as the same node at the same column.
func rereadProblem(text []byte, n *node.Node, in surroundings) string {
	if hasAlias(n) {
		return ""
	}
	own := string(text[n.Start:n.End])
	switch {
	case own == "" && n.Value != "":
		return fmt.Sprintf("%q is written as nothing", n.Value)
	case own == "" || strings.Contains(own, lex.ByteOrderMark): // the mark vanishes
		return ""
	}
	problem := readsAs(n, placed(text, n, own, in), in.steps(n))
	if problem == "" || readsAs(n, placed(text, n, own+" ", in), in.steps(n)) == "" { // a bracket may be part of a word
		return ""
	}
	for _, colon := range []string{": x", " : x"} { // some keys need it behind them
		if in.isKey && readsAs(n, placed(text, n, own+colon, in), in.steps(n)+1) == "" {
			return ""
		}
	}
	return problem
}

// placed returns the text of a node at the same column as before.
func placed(text []byte, n *node.Node, own string, in surroundings) string {
	switch {
	case in.flow:
		return "[" + own + "]"
	case !isBlockScalar(n):
		return strings.Repeat(" ", columnOf(text, int(n.Start))) + own
	case in.column >= 0:
		return strings.Repeat(" ", in.column) + "- " + own
	}
	return own
}

// steps returns how deep a placed node is in its document.
func (in surroundings) steps(n *node.Node) int {
	if in.flow || isBlockScalar(n) && in.column >= 0 {
		return 2
	}
	return 1
}

func isBlockScalar(n *node.Node) bool { return n.Style&(node.LiteralStyle|node.FoldedStyle) != 0 }

// readsAs reports whether the first node of a text, as many steps inside, is another than the given one.
func readsAs(n *node.Node, text string, steps int) string {
	got, err := Document([]byte(text))
	if err != nil {
		return fmt.Sprintf("the text %q of a node is not read: %v", text, err)
	}
	for range steps {
		if len(got.Content) == 0 {
			return fmt.Sprintf("the text %q of a node is read as %s", text, show(got))
		}
		got = got.Content[0]
	}
	if !sameTree(got, n) {
		return fmt.Sprintf("the text %q of a node is read as %s", text, show(got))
	}
	return ""
}

func hasAlias(n *node.Node) bool {
	if n.Kind == node.AliasNode {
		return true
	}
	for _, child := range n.Content {
		if hasAlias(child) {
			return true
		}
	}
	return false
}

func sameTree(a, b *node.Node) bool {
	if own(a) != own(b) || len(a.Content) != len(b.Content) {
		return false
	}
	for i := range a.Content {
		if !sameTree(a.Content[i], b.Content[i]) {
			return false
		}
	}
	return true
}

func show(n *node.Node) string {
	text := fmt.Sprintf("%+v", own(n))
	for _, child := range n.Content {
		text += " " + show(child)
	}
	return text
}
