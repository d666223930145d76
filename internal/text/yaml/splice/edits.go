package splice

import (
	"bytes"
	"errors"
	"slices"
	"sync"

	"pillion.dev/pillion/internal/text/edit"
	"pillion.dev/pillion/internal/text/yaml/emit"
	"pillion.dev/pillion/internal/text/yaml/lex"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// splicer collects the edits of one document. It is used for one document after another, because of its memory.
type splicer struct {
	// source is the text. Its last line has an end, which may be missing in the text that was given.
	source
	isEndAdded bool
	root       *node.Node
	shared     *Shared
	style      emit.Style
	// pristine holds the nodes that were not added before; it is nil if none were.
	pristine map[node.Identity]bool
	// near is the style in the mapping that styleIn was last called for.
	near   emit.Style
	nearOf *node.Node

	edits []edit.Edit
	// changes holds those of the collections that are being changed, inner ones last.
	changes []change
	// lines is a buffer for new lines.
	lines []byte
	// result is a buffer for the edited text, which is only read back.
	result []byte
}

var splicers = sync.Pool{New: func() any { return new(splicer) }}

// begin prepares the splicer for a document.
func (s *splicer) begin(text []byte, before *node.Node, past Past) {
	*s = splicer{
		source: source{lex.Lines{Text: text}},
		root:   before.Content[0], shared: past.Shared,
		edits: s.edits[:0], changes: s.changes[:0], lines: s.lines, result: s.result,
	}
	if past.Pristine != nil {
		s.pristine = map[node.Identity]bool{}
		node.Visit(past.Pristine, func(n *node.Node) { s.pristine[node.IdentityOf(n)] = true })
	}
	s.style = s.styleOf(s.root, emit.Style{LineEnd: lex.LineBreak(text), Indent: 2, DashWidth: 2, Texts: past.Texts, Flow: s.flowStyle()})
	if s.isEndAdded = s.Start(len(text)) < len(text); s.isEndAdded {
		s.Lines = lex.Lines{Text: slices.Concat(text, []byte(s.style.LineEnd))}
	}
}

// wasAdded reports whether a node was added by an earlier change.
func (s *splicer) wasAdded(n *node.Node) bool {
	return s.pristine != nil && !s.pristine[node.IdentityOf(n)]
}

// replace replaces a range, if there is anything to replace or to insert. Comments in it are part of what goes.
func (s *splicer) replace(start, end int, text []byte) {
	if start < end || len(text) > 0 {
		s.edits = append(s.edits, edit.Edit{Start: start, End: end, Text: text})
	}
}

// replaceLines replaces whole lines by others. There may be none of either.
func (s *splicer) replaceLines(start, end int, lines []byte) {
	if len(lines) > 0 {
		lines = slices.Concat(lines, []byte(s.style.LineEnd))
	}
	s.replace(start, end, lines)
}

// styleAt returns the style for new text before an offset. At the end of a text without a last line end, a block scalar
// would lose its last line end, so there are none.
func (s *splicer) styleAt(at int, style emit.Style) emit.Style {
	style.NoBlockScalars = s.isEndAdded && at == len(s.Text)
	return style
}

// order puts the edits in order. Those at the same offset stay in the order in which they were collected, inner
// collections before outer ones.
func (s *splicer) order() error {
	slices.SortStableFunc(s.edits, func(a, b edit.Edit) int { return a.Start - b.Start })
	at := 0
	for _, e := range s.edits {
		if e.Start < at || e.End < e.Start {
			return errors.New("two changes touch the same text")
		}
		at = e.End
	}
	return nil
}

// unend changes the edits of the text with a last line end into those of the text without it, whose result has none
// either.
func (s *splicer) unend(text []byte) {
	first, start := len(s.edits), len(s.Text)
	for first > 0 && s.edits[first-1].End >= start {
		first--
		start = min(s.edits[first].Start, len(text))
	}
	if first == len(s.edits) {
		return
	}
	end := trimLineEnd(edit.Append(nil, s.Text[start:], edit.Shift(s.edits[first:], -start)))
	if len(end) == 0 { // the last lines are removed, and so is the end of the line above
		start = len(trimLineEnd(text[:start]))
	}
	s.edits = append(s.edits[:first], edit.Edit{Start: start, End: len(text), Text: end})
}

func trimLineEnd(text []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimSuffix(text, []byte("\n")), []byte("\r"))
}
