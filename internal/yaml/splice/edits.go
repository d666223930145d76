package splice

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/edit"
	"pillion.dev/pillion/internal/yaml/emit"
	"pillion.dev/pillion/internal/yaml/extent"
	"pillion.dev/pillion/internal/yaml/node"
)

// splicer collects the edits of one document.
type splicer struct {
	*extent.Map
	text  []byte
	root  *yaml.Node
	style emit.Style
	// shared holds the anchored nodes that aliases refer to, with the line of one of these.
	shared map[*yaml.Node]int
	bare   map[node.Identity]bool       // where the nodes are that nobody has put in; nil where all are such
	below  map[*yaml.Node]int           // how many lines stood above new entries
	nears  map[*yaml.Node]*emit.Indents // what near has found
	edits  []edit.Edit
	gone   []edit.Edit // where the nodes stand that are gone, which their comments go with
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
// ended, the new lines bring the line end and leave their own last line as open.
func (s *splicer) insertLines(at int, lines []byte) {
	if s.openEnded(at) {
		s.insert(at, append([]byte(s.style.LineEnd), lines...))
		return
	}
	s.insert(at, append(lines, s.style.LineEnd...))
}

// styleAt returns the style for new text at an offset. Behind an open last line a block scalar
// would lose its last line end, so there are none.
func (s *splicer) styleAt(at int, style emit.Style) emit.Style {
	style.NoBlockScalars = style.NoBlockScalars || s.openEnded(at)
	return style
}

// apply makes all edits. Those at the same place stay in the order in which they were
// collected, inner collections before outer ones.
func (s *splicer) apply() ([]byte, error) {
	outside := func(e edit.Edit) bool { return e.Start < 0 || e.End < e.Start || e.End > len(s.text) }
	if slices.ContainsFunc(s.edits, outside) {
		return nil, errors.New("where a value stands in the text is not certain")
	}
	slices.SortStableFunc(s.edits, func(a, b edit.Edit) int { return a.Start - b.Start })
	if lost := s.lostComment(); lost != "" {
		return nil, fmt.Errorf("the comment %q would be lost", lost)
	}
	var result []byte
	at := 0
	for i, e := range s.edits {
		if e.Start < at {
			return nil, errors.New("two changes touch the same text")
		}
		result = append(result, s.text[at:e.Start]...)
		if e.Start == e.End && s.openEnded(e.Start) && bytes.HasSuffix(result, []byte("\n")) {
			e.Text = bytes.TrimPrefix(e.Text, []byte(s.style.LineEnd)) // the line that was open is gone
			s.edits[i] = e
		}
		result = append(result, e.Text...)
		at = e.End
	}
	result = append(result, s.text[at:]...)
	if at == len(s.text) && s.openEnded(at) {
		result = trimLineEnd(result)
	}
	return result, nil
}

// trimLineEnd keeps a missing last line end missing when the last lines are removed.
func trimLineEnd(text []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimSuffix(text, []byte("\n")), []byte("\r"))
}
