package splice

import (
	"sync"

	"pillion.dev/pillion/internal/edit"
	"pillion.dev/pillion/internal/yaml/extent"
)

// memory is what one splice after another uses. Nothing in it is part of a result.
type memory struct {
	// extents is the last result of extent.Find.
	extents *extent.Map
	// changes holds those of the collections that are being changed, inner ones last.
	changes []change
	edits   []edit.Edit
	// removed holds the ranges of nodes that are removed or replaced, with the comments in them.
	removed []edit.Edit
	// lines is a buffer for new lines.
	lines []byte
	// result is a buffer for the edited text, which is only read back.
	result []byte
}

var memories = sync.Pool{New: func() any { return new(memory) }}
