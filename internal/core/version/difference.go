package version

import (
	"pillion.dev/pillion/internal/core/ledger"
	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// Difference returns what a version of a pod template has and an earlier one does not have. The nodes that stayed must be the
// same in both, and those that were changed must have kept their positions.
func Difference(before, after *node.Node) ledger.Entries {
	var d difference
	d.mapping("", before, after)
	return ledger.Entries(d)
}

// difference is what a version of a pod template has and an earlier one does not have.
type difference ledger.Entries

// mapping adds what became of the values of a mapping.
func (d *difference) mapping(path string, before, after *node.Node) {
	was := node.OwnValues(before)
	for i := 0; i+1 < len(after.Content); i += 2 {
		key := after.Content[i].Value
		if path != "metadata/annotations" || !stamp.IsKey(key) { // stamps are not recorded
			d.value(stamp.Address{Path: path, Key: key}, was.Get(key), after.Content[i+1])
		}
	}
}

// value adds what became of a value.
func (d *difference) value(at stamp.Address, before, after *node.Node) {
	if before == after {
		return
	}
	was := node.Resolve(before)
	isKind := func(kind node.Kind) bool { return was != nil && was.Kind == kind && after.Kind == kind }
	switch {
	case isKind(node.MappingNode):
		d.mapping(at.Inside(), was, after)
	case isKind(node.SequenceNode) && stamp.IsSeparable(at):
		d.sequence(at.Inside(), was.Content, after.Content)
	case before == nil || !node.Equal(before, after):
		*d = append(*d, ledger.Entry{Address: at, Value: after})
	}
}

// sequence adds what became of the entries of a list.
func (d *difference) sequence(path string, were, are []*node.Node) {
	for i, was := range matchAnywhere(path, were, are) {
		if was < 0 || !d.isSame(path, were[was], are[i]) {
			*d = append(*d, ledger.Entry{Address: stamp.Address{Path: path, Key: stamp.KeyOf(path, are[i])}, Value: are[i], IsEntry: true})
		}
	}
}

// isSame reports whether an entry was not replaced by another of the same key. It adds what changed inside.
func (d *difference) isSame(path string, before, after *node.Node) bool {
	if before == after || node.Equal(before, after) {
		return true
	}
	isReplaceable := !stamp.IsContainers(path) && pod.At(path).Taken.Replace // as a whole
	isWrittenOut := before.Kind == node.AliasNode && !isReplaceable
	stayed := isWrittenOut || node.IsSame(before, after) || node.IsNew(before) && node.IsNew(after)
	if !stayed || after.Kind != node.MappingNode {
		return false
	}
	d.mapping(stamp.Address{Path: path, Key: stamp.KeyOf(path, before)}.Inside(), node.Resolve(before), after)
	return true
}
