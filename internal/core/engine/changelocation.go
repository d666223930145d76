package engine

import (
	"slices"

	"pillion.dev/pillion/decision"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/outcome"
	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/text/manifest"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// locateChanges finds where each injector changes the workload: the field of its foremost change, or the list or
// mapping that lacks it.
func (w *workload) locateChanges() {
	for i := range w.outcomes {
		o := &w.outcomes[i]
		foremost := outcome.Foremost(o.Changes)
		if foremost < 0 {
			continue
		}
		c := o.Changes[foremost]
		field := finding.Field{Path: w.pathOf(c)}
		if c.Field != "" {
			field.Current = c.Old
			field.Proposed = c.New
		}
		o.Location = &outcome.ChangeLocation{Change: foremost, Field: field, File: w.location(node.Find(w.original, field.Path))}
	}
}

// pathOf returns the field path of a change in the workload, or that of the list or mapping that lacks what is added.
func (w *workload) pathOf(c decision.Change) string {
	p := &w.pods[slices.IndexFunc(w.pods, func(p pod) bool { return p.template.Path == c.Template })]
	at := stamp.Address{Path: c.Path, Key: c.Key}
	field := c.Field
	if isLacking := c.Verb == decision.Adds || p.viewBefore().At(c.Path, c.Key) == nil; isLacking && c.Path != "" {
		at = stamp.AddressOf(c.Path)
		field = ""
	}
	return p.template.At(p.viewBefore().FieldOf(at, field))
}

// location returns where a node is in the file. It is nil if there is no node, or if the lines of the item are not
// those of a file.
func (w *workload) location(found *node.Node) *finding.File {
	if found == nil || !node.IsRead(found) || w.item.File == "" {
		return nil
	}
	file := locationIn(w.item, found)
	return &file
}

// locationIn returns where a node of an item is in its file.
func locationIn(item *manifest.Item, n *node.Node) finding.File {
	line, column := item.PositionOf(int(n.Start))
	return finding.File{Path: item.File, Index: item.Index, Line: line, Column: column}
}
