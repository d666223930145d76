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
	"pillion.dev/pillion/internal/page"
)

// lineOf returns a finding as a line.
type lineOf func(finding.Finding) string

// RunText writes a run for people: the findings of at least a severity, worst first, what the sidecars cost, and the counts.
func RunText(w io.Writer, run outcome.Run, least finding.Severity, line lineOf) error {
	findings := findingsOf(run, least)
	if err := writeText(w, findings, least > finding.Info, line, len(findings)); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w, totals(run))
	return err
}

// RunSummary writes a run of a command as RunText does, with its changes, grouped, before the cost.
func RunSummary(w io.Writer, run outcome.Run, least finding.Severity, line lineOf) error {
	if err := RunFindings(w, run, least, line); err != nil {
		return err
	}
	return writeEnd(w, run)
}

// RunFindings writes the findings of a run of a command as Text does, and how to fix what is outdated. Of a long list
// of objects, it writes the first, because -v lists all.
func RunFindings(w io.Writer, run outcome.Run, least finding.Severity, line lineOf) error {
	run, remedy := run.RemedyOnce()
	if err := writeText(w, findingsOf(run, least), least > finding.Info, line, page.Short); err != nil || remedy == "" {
		return err
	}
	_, err := fmt.Fprintln(w, escape.Line(remedy))
	return err
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

// writeEnd writes the changes of a run, grouped, and the totals. Unless the run is dry, the changes are those that were
// written. The findings of a verification have them already.
func writeEnd(w io.Writer, run outcome.Run) error {
	changed := run
	if !run.DryRun {
		changed = run.Only(func(w *outcome.Workload) bool { return w.Decision().IsChange() })
	}
	end := ""
	if !run.IsVerified() {
		for _, change := range summary(changed.Changes()) {
			end += escape.Line(change) + "\n"
		}
	}
	_, err := fmt.Fprintln(w, end+totals(run)+keepGoing(run))
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
	if accepted := run.Accepted(); accepted > 0 {
		last += fmt.Sprintf("; --outdated warn accepts %d", accepted)
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

// Text writes the findings of at least a severity, worst first. What is the same for several objects is written once,
// with a list of them, unless everything is wanted (Info).
func Text(w io.Writer, findings []finding.Finding, least finding.Severity, line lineOf) error {
	return writeText(w, worstFirst(findings, least), least > finding.Info, line, len(findings))
}

// writeText writes findings. If those that say the same are written together, a list has at most that many objects.
func writeText(w io.Writer, findings []finding.Finding, isTogether bool, line lineOf, most int) error {
	if !isTogether {
		return writeLines(w, findings, line)
	}
	for _, same := range page.By(findings, sayingOf) {
		const several = 3
		var err error
		if len(same.Rows) >= several && placeOf(same.Rows[0]) != "" {
			err = writeTogether(w, same.Rows, line, most)
		} else {
			err = writeLines(w, same.Rows, line)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// saying is what several findings may have in common.
type saying struct {
	severity                  finding.Severity
	code                      finding.Code
	message, detail, injector string
}

func sayingOf(f *finding.Finding) saying {
	return saying{f.Severity, f.Code, f.Message, f.Detail, f.Injector}
}

func writeLines(w io.Writer, findings []finding.Finding, line lineOf) error {
	for _, f := range findings {
		if _, err := fmt.Fprintln(w, line(f)); err != nil {
			return err
		}
	}
	return nil
}

// writeTogether writes what findings say, and then where it is so.
func writeTogether(w io.Writer, findings []finding.Finding, line lineOf, most int) error {
	same := findings[0]
	same.Object = nil
	same.File = nil
	same.Message = fmt.Sprintf("each of these %d: %s", len(findings), same.Message)
	lines := []string{line(same)}
	for i, f := range findings {
		if more := len(findings) - most; i == most && more > 1 {
			lines = append(lines, fmt.Sprintf("  ... and %d more; -v lists all", more))
			break
		}
		lines = append(lines, "  "+placeOf(f))
	}
	_, err := fmt.Fprintln(w, strings.Join(lines, "\n"))
	return err
}

// placeOf returns the position and the object of a finding, or "" if it has neither.
func placeOf(f finding.Finding) string {
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
