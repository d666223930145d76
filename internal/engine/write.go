package engine

import (
	"bytes"

	"pillion.dev/pillion/internal/edit"
	"pillion.dev/pillion/internal/outcome"
	"pillion.dev/pillion/internal/selection"
	"pillion.dev/pillion/internal/yaml/node"
	"pillion.dev/pillion/internal/yaml/splice"
)

// clearPending removes the injectors that are done from the workload's list of pending initializers.
func (w *workload) clearPending() {
	if len(selection.Pending(w.changed)) == 0 {
		return
	}
	for _, m := range w.run.members {
		o := &w.outcomes[m.index]
		if w.failed || o.Decision == outcome.Skipped || o.Decision == outcome.Removed {
			continue
		}
		pending := selection.InitializerName(m.injector.Name)
		if !selection.ClearPending(w.changed, pending) {
			continue
		}
		w.isTouched = true
		o.Decision = outcome.Stronger(o.Decision, outcome.Updated)
		o.Changes = append(o.Changes, outcome.Change{
			Verb: outcome.Removes, Template: w.result.Templates[0], Path: pendingPath, Key: pending,
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
	isIDDropped := !w.run.verifies() && dropIdentity(before, w.read, w.copied, w.changed)
	if anchor, spreads := w.spreadByAlias(); spreads {
		w.reportGeneral(sharedByAlias(anchor))
		return
	}
	edits, err := splice.Restore(before, w.read, w.copied, w.past())
	if err != nil {
		edits, err = w.rewrite(err)
	}
	switch {
	case err != nil:
		w.reportGeneral(cannotBeWritten(err))
	case len(edits) == 0: // what one injector did, another has undone
	default:
		w.result.Edits, w.result.IsWritten = edits, true
		if isIDDropped {
			w.reportGeneral(commentsMoved())
		}
	}
}

// rewrite returns the edit that writes the whole item anew, and reports why that is necessary.
func (w *workload) rewrite(why error) ([]edit.Edit, error) {
	before := w.item.Text
	text, err := splice.Rewrite(before, w.copied)
	if err != nil {
		return nil, err
	}
	w.reportGeneral(writtenAnew(why, splice.LostComments(before, text, w.copied)))
	if bytes.Equal(text, before) {
		return nil, nil
	}
	return edit.Whole(before, text), nil
}

// spreadByAlias returns an anchor through which the change would reach other places. Few texts have anchors.
func (w *workload) spreadByAlias() (anchor string, spreads bool) {
	if bytes.IndexByte(w.item.Text, '&') < 0 {
		return "", false
	}
	return node.SpreadByAlias(w.copied)
}
