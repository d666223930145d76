package stamp

import "pillion.dev/pillion/internal/text/yaml/node"

// UndoSteps returns how many nodes an undo visits.
func UndoSteps(template *node.Node, owners, others []Owner) int {
	return Undo(template, owners, others, nil).steps
}

// Seal appends the checksum to the text of a stamp.
func Seal(text string) string { return text + " " + shortHash([]byte(text)) }

// FingerprintOf returns the fingerprint of a text that was joined to a value.
func FingerprintOf(text string) Fingerprint { return partOf(text, false) }
