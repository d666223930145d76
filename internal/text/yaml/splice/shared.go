package splice

import (
	"slices"
	"sync"

	"pillion.dev/pillion/internal/text/yaml/emit"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// Shared keeps the text of entries that many documents get, and that never change, so that it is written once and not
// for each of them.
type Shared struct {
	// Has reports whether a node is such an entry.
	Has   func(*node.Node) bool
	texts sync.Map // []byte by sharedKey
}

// sharedKey is an entry and all that its text depends on.
type sharedKey struct {
	entry                                 *node.Node
	column, indent, listIndent, dashWidth int
	lineEnd                               string
	flow                                  emit.FlowStyle
	noBlockScalars                        bool
}

// lines returns lines as write makes them, or as it made them before for the same entry, column and style.
func (s *Shared) lines(entry *node.Node, column int, style emit.Style, write func() []byte) []byte {
	if s == nil || !s.Has(entry) || len(style.Texts) > 0 {
		return write()
	}
	key := sharedKey{
		entry, column, style.Indent, style.ListIndent, style.DashWidth, style.LineEnd, style.Flow, style.NoBlockScalars,
	}
	if known, ok := s.texts.Load(key); ok {
		return known.([]byte)
	}
	made := slices.Clip(write())
	s.texts.Store(key, made)
	return made
}
