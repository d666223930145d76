package stamp

import (
	"bytes"

	"go.yaml.in/yaml/v3"
)

// below is how many comments and blank lines stand between an entry of a list and the one before it, or the key of the
// list.
func (w *written) below(n *yaml.Node) (count int) {
	at := w.nodes[placeIn(n)]
	if n.Line <= 0 || at.node == nil || w.extents == nil || at.parent.Kind != yaml.SequenceNode || at.parent.Style&yaml.FlowStyle != 0 {
		return 0
	}
	floor := 0
	if at.before != nil {
		before := w.extents.Get(at.before)
		floor = w.commentsBelow(before, w.extents.Column(before.Lead))
	}
	for line := w.extents.Start(w.extents.Get(at.node).Lead); line > floor; count++ {
		line = w.extents.Start(line - 1)
		if text := bytes.TrimLeft(w.text[line:w.extents.End(line)], " \t"); line < floor || len(text) > 0 && text[0] != '#' {
			break
		}
	}
	return count
}
