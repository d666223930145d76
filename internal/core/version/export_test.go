package version

import (
	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// UndoSteps returns how many nodes an undo visits.
func UndoSteps(template *node.Node, owners, others []stamp.Owner) int {
	return Undo(template, owners, others, nil).steps
}
