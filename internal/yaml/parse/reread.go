package parse

import (
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/edit"
	"pillion.dev/pillion/internal/yaml/lex"
)

// Reread reads the text that edits make of another one, whose document was read with another arena. It takes over the nodes of the
// parts that the edits do not touch, with their old positions, so it takes little more time than reading the edited parts. Otherwise
// the result is the same as that of Document. It returns false if the document is not the last one that the fast reader has read
// with the other arena, or if it cannot read the text; then Document can.
//
// Lines is the index of the old text. The edits must be those that make the text of it.
func (a *Arena) Reread(from *Arena, document *yaml.Node, lines lex.Lines, text []byte, edits []edit.Edit) (*yaml.Node, bool) {
	if !from.HasRead(document, lines.Text()) {
		return nil, false
	}
	r := newReader(text, a)
	r.tabs, r.wide = true, true
	if !r.surveyEdits(text, from.origin.text, edits) {
		return nil, false
	}
	r.previous = newPrevious(document, lines, edits)
	reread := r.document()
	return reread, reread != nil
}

// HasRead reports whether a document is the last one that the fast reader has read with the arena, and the text is the one that it was
// read from.
func (a *Arena) HasRead(document *yaml.Node, text []byte) bool {
	return document != nil && a.origin.document == document && a.origin.text == string(text)
}

// origin is a document that the fast reader has read, and its text.
type origin struct {
	document *yaml.Node
	text     string
}

// surveyEdits is survey for a text that edits make of another one, which was surveyed. It also returns false if an edit begins or
// ends inside of a character or of a line break.
func (r *reader) surveyEdits(text []byte, old string, edits []edit.Edit) bool {
	shift := 0
	for _, e := range edits {
		start := e.Start + shift
		end := start + len(e.Text)
		shift = end - e.End
		inserted := reader{text: r.text[start:end]}
		if !isSeam(old, e.Start) || !isSeam(old, e.End) || !inserted.survey(text[start:end]) {
			return false
		}
	}
	return true
}

// isSeam reports whether the offset is neither inside of a character nor behind a carriage return.
func isSeam(text string, at int) bool {
	return (at == len(text) || utf8.RuneStart(text[at])) && (at == 0 || text[at-1] != '\r')
}
