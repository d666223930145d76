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
	return runText(w, run, least, line, nil, "")
}

// RunSummary writes a run of a command as RunText does, with its changes, grouped, before the cost. Unless the run is dry, they are
// those that were written.
func RunSummary(w io.Writer, run outcome.Run, least finding.Severity, line lineOf) error {
	changed := run
	if !run.DryRun {
		changed = run.Only(func(w *outcome.Workload) bool { return w.Decision().IsChange() })
	}
	return runText(w, run, least, line, summary(changed.Changes()), keepGoing(run))
}

// runText writes findings, changes and totals, which end with a remedy. The finding that states the cost is left out, because it is among
// the totals.
func runText(w io.Writer, run outcome.Run, least finding.Severity, line lineOf, changes []string, remedy string) error {
	findings := run.FindingsFrom(least)
	if n := len(findings) - 1; n >= 0 && findings[n].Code == finding.Cost {
		findings = findings[:n]
	}
	if err := Text(w, findings, finding.Info, line); err != nil {
		return err
	}
	end := ""
	for _, change := range changes {
		end += escape.Line(change) + "\n"
	}
	_, err := fmt.Fprintln(w, end+totals(run)+remedy)
	return err
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

// totals returns what the sidecars cost, unless the run failed, and how many workloads have each decision.
func totals(run outcome.Run) string {
	last := run.Counts().Line(run.DryRun)
	if run.Failed() && len(run.Workloads) == 0 {
		last = "no workload was processed"
	}
	if left := len(run.LeftAlone); left > 0 {
		last += fmt.Sprintf("; %s left alone by -n, --name or -l", outcome.Plural(left, "more workload"))
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
	for _, f := range worstFirst(findings, least) {
		if _, err := fmt.Fprintln(w, line(f)); err != nil {
			return err
		}
	}
	return nil
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
