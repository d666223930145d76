package parse

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"testing"

	"go.yaml.in/yaml/v3"
)

// reference reads the text as yaml.v3 does, comments dropped, and turns its panics into
// errors. It says the same as Document has to, without any code of this package.
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
	clearComments(document)
	return document, nil
}

func clearComments(n *yaml.Node) {
	n.HeadComment, n.LineComment, n.FootComment = "", "", ""
	for _, child := range n.Content {
		clearComments(child)
	}
}

// difference says where two trees differ, or nothing. Aliases have to stand for nodes at
// the same place of their trees.
func difference(got, want *yaml.Node) string {
	if flat(got) != flat(want) {
		return fmt.Sprintf("\n got %+v\nwant %+v", flat(got), flat(want))
	}
	if (got.Alias == nil) != (want.Alias == nil) || got.Alias != nil && (got.Alias.Line != want.Alias.Line ||
		got.Alias.Column != want.Alias.Column) {
		return "another alias"
	}
	if len(got.Content) != len(want.Content) || (got.Content == nil) != (want.Content == nil) {
		return fmt.Sprintf("got %d children, want %d", len(got.Content), len(want.Content))
	}
	for i := range got.Content {
		if d := difference(got.Content[i], want.Content[i]); d != "" {
			return fmt.Sprintf("%d/%s", i, d)
		}
	}
	return ""
}

// own is all that a node holds beside other nodes.
type own struct {
	kind                                  yaml.Kind
	style                                 yaml.Style
	tag, value, anchor                    string
	headComment, lineComment, footComment string
	line, column                          int
}

func flat(n *yaml.Node) own {
	return own{n.Kind, n.Style, n.Tag, n.Value, n.Anchor, n.HeadComment, n.LineComment, n.FootComment, n.Line, n.Column}
}

// checkFast holds the fast reader against the library: it may decline, but what it accepts
// must be right.
func checkFast(t *testing.T, text []byte) (accepted bool) {
	t.Helper()
	before := bytes.Clone(text)
	got, ok := fast(text, new(Arena))
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
	if d := difference(got, want); d != "" {
		t.Errorf("%q is read in another way: %s", text, d)
	}
	return true
}

// checkDocument holds Document, whichever reader it uses, against the library.
func checkDocument(t *testing.T, text []byte) {
	t.Helper()
	got, err := Document(text)
	want, wantErr := reference(text)
	if (err == nil) != (wantErr == nil) {
		t.Errorf("%q: got error %v, want %v", text, err, wantErr)
		return
	}
	if err == nil {
		if d := difference(got, want); d != "" {
			t.Errorf("%q: %s", text, d)
		}
	}
}
