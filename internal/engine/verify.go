package engine

import (
	"slices"
	"strings"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/edit"
)

// verifies tells whether the run changes nothing and only says what it would change: a list of
// injectors does so as a whole, or not at all.
func (r *run) verifies() bool { return r.injectors[0].Spec.Action == v1alpha1.Verify }

// outOfDate refuses a workload that an injection would change, and shows how.
func (w *workload) outOfDate(edits []edit.Edit) {
	var changes []string
	for _, f := range w.outcome.findings {
		if isChange(f.Code) {
			changes = append(changes, f.Message)
		}
	}
	w.outcome.findings = slices.DeleteFunc(w.outcome.findings, func(f Finding) bool { return isChange(f.Code) })
	w.say(Finding{
		Severity: Error, Code: finding.OutOfDate, Detail: diffOf(w.item.Text, edits),
		Message: "it is not as an injection would make it: " + strings.Join(changes, "; ") + "; run the injection and commit what it gives",
	})
}

// diffOf shows what edits do to a text, as far as people read.
func diffOf(text []byte, edits []edit.Edit) string {
	const most = 200
	lines := strings.SplitAfter("--- as it is\n+++ as it should be\n"+string(edit.Unified(text, edits, 1, edit.Context)), "\n")
	if len(lines) > most {
		lines = append(lines[:most], "...\n")
	}
	return strings.Join(lines, "")
}
