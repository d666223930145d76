package stamp

import "go.yaml.in/yaml/v3"

// UndoSteps is how many nodes an undo looks at.
func UndoSteps(template *yaml.Node, owners, others []Owner) int {
	return undo(template, owners, others).steps
}
