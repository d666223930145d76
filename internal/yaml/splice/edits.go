package splice

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"

	"pillion.dev/pillion/internal/edit"
	"pillion.dev/pillion/internal/yaml/emit"
	"pillion.dev/pillion/internal/yaml/extent"
	"pillion.dev/pillion/internal/yaml/node"
)

// splicer collects the edits of one document.
type splicer struct {
	*extent.Map
	text  []byte
	root  *node.Node
	style emit.Style
	// shared holds the anchored nodes that aliases refer to, with one of the aliases.
	shared map[*node.Node]*node.Node
	// pristine holds the nodes that were not added before; it is nil if none were.
	pristine map[node.Identity]bool
	// nears caches the results of near.
	nears map[*node.Node]*emit.Indents
	*memory
}

func newSplicer(text []byte, before, after *node.Node, past Past, m *memory) (*splicer, error) {
	extents, err := extent.Find(text, before, m.extents)
	if err != nil {
		return nil, err
	}
	m.extents = extents
	s := &splicer{
		Map:    extents,
		text:   text,
		root:   before.Content[0],
		style:  styleOf(extents.Lines, cmp.Or(past.Pristine, before), past.Texts),
		shared: sharedAnchors(text, before, after),
		memory: m,
	}
	m.edits, m.removed, m.changes = m.edits[:0], m.removed[:0], m.changes[:0]
	s.style.Texts = past.Texts
	if past.Pristine != nil {
		s.pristine = map[node.Identity]bool{}
		node.Visit(past.Pristine, func(n *node.Node) { s.pristine[node.IdentityOf(n)] = true })
	}
	return s, nil
}

// wasAdded reports whether a node was added by an earlier change.
func (s *splicer) wasAdded(n *node.Node) bool {
	return s.pristine != nil && !s.pristine[node.IdentityOf(n)]
}

// removeNode records that the node in a range is removed or replaced, with the comments in it.
func (s *splicer) removeNode(start, end int) {
	s.removed = append(s.removed, edit.Edit{Start: start, End: end})
}

func (s *splicer) replace(start, end int, text []byte) {
	s.edits = append(s.edits, edit.Edit{Start: start, End: end, Text: text})
}

func (s *splicer) insert(at int, text []byte) { s.replace(at, at, text) }

func (s *splicer) remove(start, end int) {
	if start < end {
		s.replace(start, end, nil)
	}
}

// insertLines inserts whole lines at the start of a line. Behind a last line that is not
// ended, the new lines begin with the line end, and their own last line is not ended.
func (s *splicer) insertLines(at int, lines []byte) {
	if s.openEnded(at) {
		s.insert(at, slices.Concat([]byte(s.style.LineEnd), lines))
		return
	}
	s.insert(at, slices.Concat(lines, []byte(s.style.LineEnd)))
}

// styleAt returns the style for new text at an offset. Behind a last line that is not ended, a block scalar
// would lose its last line end, so there are none.
func (s *splicer) styleAt(at int, style emit.Style) emit.Style {
	style.NoBlockScalars = style.NoBlockScalars || s.openEnded(at)
	return style
}

// apply applies all edits. Those at the same offset stay in the order in which they were
// collected, inner collections before outer ones. The result is valid until the splicer is reused.
func (s *splicer) apply() ([]byte, error) {
	outside := func(e edit.Edit) bool { return e.Start < 0 || e.End < e.Start || e.End > len(s.text) }
	if slices.ContainsFunc(s.edits, outside) {
		return nil, errors.New("the position of a value in the text is not certain")
	}
	slices.SortStableFunc(s.edits, func(a, b edit.Edit) int { return a.Start - b.Start })
	if lost := s.lostComment(); lost != "" {
		return nil, fmt.Errorf("the comment %q would be lost", lost)
	}
	if overlap(s.edits) {
		return nil, errors.New("two changes touch the same text")
	}
	result, at := slices.Grow(s.result[:0], edit.Size(s.text, s.edits)), 0
	for i, e := range s.edits {
		result = append(result, s.text[at:e.Start]...)
		if e.Start == e.End && s.openEnded(e.Start) && bytes.HasSuffix(result, []byte("\n")) {
			e.Text = bytes.TrimPrefix(e.Text, []byte(s.style.LineEnd)) // the line that was not ended is removed
			s.edits[i] = e
		}
		result = append(result, e.Text...)
		at = e.End
	}
	result = append(result, s.text[at:]...)
	s.result = result
	if at == len(s.text) && s.openEnded(at) {
		result = trimLineEnd(result)
	}
	return result, nil
}

// overlap reports whether two edits, which are in order, touch the same text.
func overlap(edits []edit.Edit) bool {
	for i := 1; i < len(edits); i++ {
		if edits[i].Start < edits[i-1].End {
			return true
		}
	}
	return false
}

// trimLineEnd keeps a missing last line end missing when the last lines are removed.
func trimLineEnd(text []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimSuffix(text, []byte("\n")), []byte("\r"))
}
