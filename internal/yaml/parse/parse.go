// Package parse reads one YAML document into nodes, as go.yaml.in/yaml/v3 does except for comments, and many times faster.
//
// There are three readers. The fast one reads the usual YAML, and declines everything else. JSON that it
// declines is read by the rules of JSON, and the rest by the library. The fast reader is never more lenient than the library:
// whatever it accepts, the library reads as the same tree, and tests compare the two.
package parse

import "go.yaml.in/yaml/v3"

// Document reads a text that holds exactly one document. The nodes have the same kinds, styles, tags, values and positions as
// those of yaml.v3, and no comments.
//
// The error is io.EOF for a text without a document, a *SeveralDocumentsError for several documents, and the library's own
// error otherwise. A repeated key is not an error.
//
// The values of the nodes may share the memory of the text, which must not change as long as they are in use.
func Document(text []byte) (*yaml.Node, error) { return new(Arena).Document(text) }

// Document is like the function Document, with nodes of the arena.
func (a *Arena) Document(text []byte) (*yaml.Node, error) {
	if document, ok := fast(text, a); ok {
		return document, nil
	}
	if document, ok := fromJSON(text, a); ok {
		return document, nil
	}
	return library(text)
}

func fast(text []byte, arena *Arena) (document *yaml.Node, ok bool) {
	r := newReader(text, arena)
	if !r.survey(text) {
		return nil, false
	}
	if document = r.document(); document == nil {
		return nil, false
	}
	arena.origin = origin{document, r.text}
	return document, true
}
