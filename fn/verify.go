package fn

import (
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/finding"
)

// verifies tells whether the run changes nothing and only says what it would change: a list of
// injectors does so as a whole, or not at all.
func (r *run) verifies() bool { return r.injectors[0].Spec.Action == v1alpha1.Verify }

// outOfDate refuses a workload that an injection would change, and shows how.
func (w *workload) outOfDate(text []byte) {
	var changes []string
	for _, f := range w.findings {
		if isChange(f.Code) {
			changes = append(changes, f.Message)
		}
	}
	w.findings = slices.DeleteFunc(w.findings, func(f Finding) bool { return isChange(f.Code) })
	w.say(Finding{
		Severity: Error, Code: finding.OutOfDate, Detail: diffOf(w.item.Text, text),
		Message: "it is not as an injection would make it: " + strings.Join(changes, "; ") + "; run the injection and commit what it gives",
	})
}

// diffOf shows what a change does to a text, as far as people read.
func diffOf(before, after []byte) string {
	const most = 200
	lines := strings.SplitAfter(string(diff.Diff("as it is", before, "as it should be", after)), "\n")
	lines = lines[1:] // a line for a shell to repeat it
	if len(lines) > most {
		lines = append(lines[:most], "...\n")
	}
	return strings.Join(lines, "")
}
