// Package parse reads one YAML document into nodes, as go.yaml.in/yaml/v3 does except for the
// comments, which nobody here asks the nodes for, and many times faster.
//
// There are three readers behind it. The fast one knows the YAML that manifests are written
// in, and says no to everything else. What it declines is read by JSON's rules where it is
// JSON, which YAML does not know all of, and by the library otherwise. The fast
// one is never more lenient than the library: whatever it accepts, the library accepts with
// the same tree, and the tests hold the two side by side.
package parse

import "go.yaml.in/yaml/v3"

// Document reads text that holds exactly one document. The nodes are those of yaml.v3 with
// the same kinds, styles, tags, values and positions; their comments are left empty.
//
// Text without a document is io.EOF, several documents are a *SeveralDocumentsError, and
// any other error is the library's own. A key that is there twice is no error.
func Document(text []byte) (*yaml.Node, error) {
	if document, ok := Fast(text); ok {
		return document, nil
	}
	if document, ok := fromJSON(text, nil); ok {
		return document, nil
	}
	return library(text)
}

// Fast reads the document if it is written in the plain way that manifests are, and says no
// otherwise. A no tells nothing about whether the text is YAML.
func Fast(text []byte) (document *yaml.Node, ok bool) { return fast(text, nil) }

func fast(text []byte, arena *Arena) (document *yaml.Node, ok bool) {
	found := survey(text)
	if found&unreadable != 0 {
		return nil, false
	}
	r := reader{text: string(text), cursor: cursor{line: 1}, wide: found&nonASCII != 0, tabs: found&tab != 0}
	if r.wide && !onlyOrdinaryRunes(r.text) || found&carriageReturn != 0 && !onlyFullLineEnds(r.text) {
		return nil, false
	}
	r.arena = arena
	r.expect(text)
	document = r.document()
	if arena != nil {
		arena.nodes.last, arena.children.last = len(r.nodes), len(r.children)
	}
	return document, document != nil
}
