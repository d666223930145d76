package engine

import (
	"strings"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/manifest"
	"pillion.dev/pillion/internal/outcome"
	"pillion.dev/pillion/internal/stamp"
	"pillion.dev/pillion/internal/yaml/node"
)

// findPlaces finds where each injector changes the workload: the field of its foremost change or, as far as that is missing, the
// list or mapping that it belongs to.
func (w *workload) findPlaces() {
	for i := range w.result.Outcomes {
		o := &w.result.Outcomes[i]
		if foremost := outcome.Foremost(o.Changes); foremost >= 0 {
			field := w.fieldOf(o.Changes[foremost])
			o.Place = &outcome.Place{Change: foremost, Field: field, File: w.position(field.Path)}
		}
	}
}

// fieldOf returns the field of a change, with its values if there is just one such field.
func (w *workload) fieldOf(c outcome.Change) finding.Field {
	if c.Path == pendingPath { // in the metadata of the workload
		return finding.Field{Path: strings.ReplaceAll(pendingPath, "/", ".")}
	}
	field := finding.Field{}
	for i := range w.pods {
		if t := w.pods[i].template; t.Path == c.Template {
			field.Path = t.At(stamp.NewView(t.Node).FieldOf(stamp.Thing{Path: c.Path, Key: c.Key}, c.Field))
		}
	}
	if c.Field != "" {
		field.Current, field.Proposed = c.Old, c.New
	}
	return field
}

// position returns where a field path leads to in the file. It is nil if the lines of the item are not those of a file.
func (w *workload) position(path string) *finding.File {
	found := node.Find(w.original, path)
	if found == nil || w.item.File == "" {
		return nil
	}
	file := positionIn(w.item, found.Line, found.Column)
	return &file
}

// positionIn returns the file of an item with a position that is counted from the start of the item.
func positionIn(item manifest.Item, line, column int) finding.File {
	return finding.File{Path: item.File, Index: item.Index, Line: item.Line + line - 1, Column: column}
}
