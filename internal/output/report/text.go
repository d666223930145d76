package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"pillion.dev/pillion/decision"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/outcome"
	"pillion.dev/pillion/internal/output/page"
	"pillion.dev/pillion/internal/text/escape"
	"pillion.dev/pillion/internal/text/spelling"
)

// lineOf returns a finding as a line.
type lineOf func(finding.Finding) string

// RunText writes a run for people: the findings of at least a severity, worst first, what the sidecars cost, and the
// counts.
func RunText(w io.Writer, run outcome.Run, least finding.Severity, line lineOf) error {
	findings := findingsOf(run, least)
	return writeLines(w, append(textLines(findings, least, len(findings), line), totals(run)))
}

// RunSummary writes a run of a command as RunText does, with its changes, grouped, before the cost.
func RunSummary(w io.Writer, run outcome.Run, least finding.Severity, line lineOf) error {
	return writeLines(w, append(runLines(run, least, line), endOf(run)...))
}

// RunFindings writes the findings of a run of a command as Text does, and how to fix what is outdated. Of a long list
// of objects, it writes the first, because -v lists all.
func RunFindings(w io.Writer, run outcome.Run, least finding.Severity, line lineOf) error {
	return writeLines(w, runLines(run, least, line))
}

func runLines(run outcome.Run, least finding.Severity, line lineOf) []string {
	run, remedy := run.RemedyOnce()
	lines := textLines(findingsOf(run, least), least, mostLines, line)
	if remedy != "" {
		lines = append(lines, escape.Line(remedy))
	}
	return lines
}

// findingsOf returns the findings of a run from a severity on, worst first. The one that states the cost is left out,
// because it is among the totals.
func findingsOf(run outcome.Run, least finding.Severity) []finding.Finding {
	findings := run.FindingsFrom(least)
	if n := len(findings) - 1; n >= 0 && findings[n].Code == finding.Cost {
		findings = findings[:n]
	}
	return worstFirst(findings, finding.Info)
}

// endOf returns the changes of a run, grouped, and the totals, as lines. Unless the run is dry, the changes are those
// that were written. The findings of a verification have them already.
func endOf(run outcome.Run) []string {
	changed := run
	if !run.DryRun {
		changed = run.Only(func(w *outcome.Workload) bool { return w.Decision().IsChange() })
	}
	var lines []string
	if !run.IsVerified() {
		for _, change := range summary(changed.Changes()) {
			lines = append(lines, escape.Line(change))
		}
	}
	var covers []string
	for _, cover := range run.Covers() {
		covers = append(covers, escape.Line(cover.String()))
	}
	lines = append(lines, page.Few(covers, mostLines, "... and %d more reasons")...)
	return append(lines, totals(run)+keepGoing(run))
}

// keepGoing returns which flag writes what is not written because of other workloads, or "".
func keepGoing(run outcome.Run) string {
	switch {
	case !run.WouldKeepGoing():
		return ""
	case run.DryRun:
		return " without --keep-going"
	}
	return "; --keep-going writes what is held back"
}

// mostLines is how many lines of one kind a summary has.
const mostLines = 10

// summary returns a line for each of the most frequent changes, and one for the number of the others.
func summary(changes []outcome.ChangeCount) []string {
	var lines []string
	for _, c := range changes {
		lines = append(lines, c.String())
	}
	return page.Few(lines, mostLines, "... and %d more kinds of change")
}

// totals returns what the sidecars cost, unless the run failed, and how many workloads have each decision.
func totals(run outcome.Run) string {
	last := run.Counts().Line(run.DryRun)
	if run.Failed() && len(run.Workloads)+len(run.Makers) == 0 {
		last = "no workload was processed"
	}
	for _, counts := range run.MakerCounts() {
		last += "; " + counts.String()
	}
	if left := len(run.LeftAlone); left > 0 {
		last += fmt.Sprintf("; %s left alone by -n, --name or -l", spelling.Plural(left, "more workload"))
	}
	if waiting := run.NotRolledOut(); waiting != "" {
		last += "; not rolled out yet: " + waiting
	}
	switch {
	case run.DryRun && run.IsRefused():
		last += "; inject would change nothing"
	case run.Failed() && !run.DryRun:
		last += "; " + whatWasChanged(run)
	}
	if total := run.Cost().String(); total != "" && run.Writes() {
		last = total + "\n" + last
	}
	return last
}

// whatWasChanged returns what a run with errors changed.
func whatWasChanged(run outcome.Run) string {
	switch refused := run.Counts()[decision.Refused]; {
	case !run.Writes():
		return "nothing was changed"
	case refused == 1:
		return "the refused workload was left unchanged"
	default:
		return fmt.Sprintf("the %d refused workloads were left unchanged", refused)
	}
}

// Text writes the findings of at least a severity, worst first. What is the same for several objects is written once,
// with a list of them, unless everything is wanted (Info).
func Text(w io.Writer, findings []finding.Finding, least finding.Severity, line lineOf) error {
	return writeLines(w, textLines(worstFirst(findings, least), least, len(findings), line))
}

// textLines returns findings as lines, as Text writes them. A list of errors has at most that many objects: the exit
// code tells of the others. What does not fail a run is named whole, so that nothing hides in a crowd.
func textLines(findings []finding.Finding, least finding.Severity, most int, line lineOf) []string {
	const several = 3
	if least == finding.Info {
		return linesOf(findings, line)
	}
	var lines []string
	for _, same := range page.By(findings, withoutLocation) {
		if len(same.Rows) < several || locationOf(same.Rows[0]) == "" {
			lines = append(lines, linesOf(same.Rows, line)...)
			continue
		}
		same.Key.Message = fmt.Sprintf("each of these %d: %s", len(same.Rows), same.Key.Message)
		lines = append(lines, line(same.Key))
		for i, f := range same.Rows {
			if more := len(same.Rows) - most; i == most && more > 1 && f.Severity == finding.Error {
				lines = append(lines, fmt.Sprintf("  ... and %d more; -v lists all", more))
				break
			}
			lines = append(lines, "  "+locationOf(f))
		}
	}
	return lines
}

// withoutLocation returns what a finding says of any object.
func withoutLocation(f *finding.Finding) finding.Finding {
	return finding.Finding{Severity: f.Severity, Code: f.Code, Message: f.Message, Detail: f.Detail, Injector: f.Injector}
}

func linesOf(findings []finding.Finding, line lineOf) []string {
	var lines []string
	for _, f := range findings {
		lines = append(lines, line(f))
	}
	return lines
}

func writeLines(w io.Writer, lines []string) error {
	if len(lines) == 0 {
		return nil
	}
	_, err := fmt.Fprintln(w, strings.Join(lines, "\n"))
	return err
}

// locationOf returns the position and the object of a finding, or "" if it has neither.
func locationOf(f finding.Finding) string {
	var parts []string
	if f.File != nil && f.File.Path != "" {
		parts = append(parts, f.File.String())
	}
	if f.Object != nil {
		parts = append(parts, f.Object.String())
	}
	return escape.Line(strings.Join(parts, ": "))
}

// worstFirst returns the findings of at least a severity.
func worstFirst(findings []finding.Finding, least finding.Severity) []finding.Finding {
	shown := slices.DeleteFunc(slices.Clone(findings), func(f finding.Finding) bool { return f.Severity < least })
	slices.SortStableFunc(shown, func(a, b finding.Finding) int { return cmp.Compare(b.Severity, a.Severity) })
	return shown
}

// ColourLine returns a finding as its String method does, with colours for a terminal.
func ColourLine(f finding.Finding) string {
	line, position := f.String(), ""
	if f.File != nil && f.File.Path != "" {
		position = escape.Line(f.File.String()) + ":"
		line = strings.TrimPrefix(line, position)
		position = coloured(bold, position)
	}
	severity := f.Severity.String()
	return position + strings.Replace(line, severity, coloured(severityColours[f.Severity], severity), 1)
}
