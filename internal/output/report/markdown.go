package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/outcome"
	"pillion.dev/pillion/internal/output/page"
)

// Markdown writes the page for a pull request: the counts, how to fix what is outdated, the most frequent changes, the
// worst findings about the run, and a table with the diffs. Workloads that stay as they are have no row.
func Markdown(w io.Writer, p Page) error {
	const most = 10
	var lines []page.Line
	for total := range strings.SplitSeq(totals(p.Run)+keepGoing(p.Run), "\n") {
		lines = append(lines, page.Line{Label: total})
	}
	isOld := func(w *outcome.Workload) bool { return w.Remedy != "" && w.NeedsInjection() }
	if i := slices.IndexFunc(p.Run.Workloads, isOld); i >= 0 {
		what, command, hasCommand := strings.Cut(p.Run.Workloads[i].Remedy, ": ")
		if hasCommand {
			what += ":"
		}
		lines = append(lines, page.Line{Label: what, Text: command})
	}
	for _, note := range p.notes() {
		lines = append(lines, page.Line{Label: note.Text})
	}
	for _, change := range summary(p.Run.Changes()) {
		lines = append(lines, page.Line{Text: change})
	}
	findings := worstFirst(p.general(), finding.Warning)
	for i, f := range findings {
		if i == most {
			lines = append(lines, page.Line{Label: fmt.Sprintf("... and %d more errors or warnings", len(findings)-most)})
			break
		}
		if f.Object != nil {
			f.Message = f.Object.String() + ": " + f.Message
		}
		lines = append(lines, page.Lines([]finding.Finding{f})...)
	}
	rows := slices.DeleteFunc(p.ranked(), func(r row) bool { return r.decision.IsCurrent() && !r.hasProblem() })
	return p.table(rows).Markdown(w, p.Title, lines)
}
