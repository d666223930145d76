package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/escape"
	"pillion.dev/pillion/internal/outcome"
)

// lineOf returns a finding as a line.
type lineOf func(finding.Finding) string

// RunText writes a run for people: the findings of at least a severity, worst first, what the sidecars cost, and the counts.
func RunText(w io.Writer, run outcome.Run, least finding.Severity, line lineOf) error {
	if err := Text(w, withoutCost(run.FindingsFrom(least)), finding.Info, line); err != nil {
		return err
	}
	return totals(w, run, "")
}

// RunSummary writes a run of a command as RunText does, with its changes, grouped, before the cost. Unless the run is dry, they are
// those that were written.
func RunSummary(w io.Writer, run outcome.Run, least finding.Severity, line lineOf) error {
	if err := Text(w, withoutCost(run.FindingsFrom(least)), finding.Info, line); err != nil {
		return err
	}
	changed := run
	if !run.DryRun {
		changed = run.Only(func(w *outcome.Workload) bool { return w.Decision().IsChange() })
	}
	for _, change := range summary(changed.Changes()) {
		if _, err := fmt.Fprintln(w, escape.Line(change)); err != nil {
			return err
		}
	}
	return totals(w, run, keepGoing(run))
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

// summary returns a line for each of the most frequent changes, and one for the number of the others.
func summary(changes []outcome.ChangeCount) []string {
	const most = 10
	var lines []string
	for i, c := range changes {
		if i == most && len(changes) > most+1 {
			return append(lines, fmt.Sprintf("... and %d more kinds of change", len(changes)-most))
		}
		lines = append(lines, c.String())
	}
	return lines
}

// withoutCost drops the finding that states the cost, which totals writes.
func withoutCost(findings []finding.Finding) []finding.Finding {
	if n := len(findings) - 1; n >= 0 && findings[n].Code == finding.Cost {
		return findings[:n]
	}
	return findings
}

// totals writes what the sidecars cost, unless the run failed, and how many workloads have each decision, with a remedy at the end.
func totals(w io.Writer, run outcome.Run, remedy string) error {
	last := run.Counts().Line(run.DryRun)
	if run.Failed() && len(run.Workloads) == 0 {
		last = "no workload was processed"
	}
	switch {
	case run.DryRun && run.IsRefused():
		last += "; inject would change nothing"
	case run.Failed() && !run.DryRun:
		last += "; " + whatWasChanged(run)
	}
	last += remedy
	if total := run.Cost().String(); total != "" && run.Writes() {
		last = total + "\n" + last
	}
	_, err := fmt.Fprintln(w, last)
	return err
}

// whatWasChanged returns what a run with errors changed.
func whatWasChanged(run outcome.Run) string {
	switch refused := run.Counts()[outcome.Refused]; {
	case !run.Writes():
		return "nothing was changed"
	case refused == 1:
		return "the refused workload was left unchanged"
	default:
		return fmt.Sprintf("the %d refused workloads were left unchanged", refused)
	}
}

// Text writes the findings of at least a severity, a line each, worst first.
func Text(w io.Writer, findings []finding.Finding, least finding.Severity, line lineOf) error {
	shown := slices.DeleteFunc(slices.Clone(findings), func(f finding.Finding) bool { return f.Severity < least })
	slices.SortStableFunc(shown, func(a, b finding.Finding) int { return cmp.Compare(b.Severity, a.Severity) })
	for _, f := range shown {
		if _, err := fmt.Fprintln(w, line(f)); err != nil {
			return err
		}
	}
	return nil
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
