package engine

import (
	"bytes"
	"errors"
	"fmt"

	"pillion.dev/pillion/decision"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/outcome"
	"pillion.dev/pillion/internal/text/edit"
	"pillion.dev/pillion/internal/text/escape"
	"pillion.dev/pillion/internal/text/manifest"
	"pillion.dev/pillion/internal/text/yaml/node"
	"pillion.dev/pillion/internal/text/yaml/read"
	"pillion.dev/pillion/internal/text/yaml/splice"
	"pillion.dev/pillion/internal/work/meter"
)

// tidyStamps lets the annotations with the stamps of bare pod specs be written again that have more than these. What is of
// other paths stays, because another config may declare them.
func (w *workload) tidyStamps() {
	if w.failed || len(w.kind.Specs) == 0 || w.copied == nil {
		return
	}
	for _, m := range w.run.readyInjectors {
		o := &w.outcomes[m.index]
		isStale, path := w.kind.OtherStamps(w.wrapped, m.key)
		if path != "" {
			w.report(m, newFinding(finding.Warning, finding.ForeignStamp, w.pods[0].annotation(m.key),
				"the stamp has a line for %q, which is no pod spec of the kind; remove the line, or declare the path in spec.workloads",
				escape.Clip(path, maxNameBytes)))
		}
		if !isStale || w.isTouched || o.Decision == decision.Skipped && o.Why == "" {
			continue
		}
		w.isTouched = true
		o.Decision = outcome.Stronger(o.Decision, decision.Updated)
		o.Changes = append(o.Changes, decision.Change{
			Verb: decision.Updates, Template: w.result.Templates[0], Path: "metadata/annotations", Key: m.key,
		})
	}
}

// write writes the changed nodes into the item's text.
func (w *workload) write() {
	if !w.isTouched || w.failed {
		return
	}
	before := w.item.Text
	w.returnNames()
	copied, changed := w.kind.Unwrap(w.copied, w.changed, w.wrapped)
	isIDDropped := !w.run.verifies() && dropIdentity(before, w.read, copied, changed)
	var alias *node.Node                   // through which the change would reach other places
	if bytes.IndexByte(before, '&') >= 0 { // few texts have anchors
		alias = node.SpreadingAlias(copied)
	}
	if alias != nil {
		f := newFinding(finding.Error, finding.SharedByAlias, nil,
			"the change would reach other places through the alias *%s; "+
				"write out what the anchor &%[1]s holds where it is used", alias.Value)
		f.File = w.location(alias)
		w.reportGeneral(f)
		return
	}
	edits, err := splice.Edits(before, w.read, copied, w.past())
	if err != nil {
		f := newFinding(finding.Error, finding.InvalidItem, nil, "the object cannot be edited: %v", err)
		if errors.Is(err, splice.ErrNotFollowed) {
			obstacle := read.Obstacle(before)
			line, column := w.item.PositionOf(obstacle.At)
			f.Message += fmt.Sprintf(": line %d has %s; write it in another way", line, obstacle.Message)
			if w.item.File != "" {
				f.File = &finding.File{Path: w.item.File, Index: w.item.Index, Line: line, Column: column}
			}
		}
		w.reportGeneral(f)
		return
	}
	size := edit.Size(before, edits)
	w.run.meter.Charge(size * meter.PerByteMade)
	err = manifest.CheckSize(copied, size)
	switch {
	case err != nil:
		w.reportGeneral(newFinding(finding.Error, finding.LimitExceeded, nil, "%s", meter.TooLarge(err.Error())))
	case len(edits) == 0: // what one injector did, another has undone
	default:
		w.result.Edits = edits
		w.result.IsWritten = true
		if isIDDropped {
			w.reportGeneral(newFinding(finding.Info, finding.CommentsMoved, nil,
				"entries with comments moved, so the item is returned without its id; "+
					"otherwise kpt would copy those comments to the wrong entries; "+
					"in kpt, a comment that a blank line separates from the object may be lost"))
		}
	}
}
