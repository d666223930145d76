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

// RunText writes a run for people: the findings of at least a severity, worst first, what the sidecars cost, and the counts.
func RunText(w io.Writer, run outcome.Run, least finding.Severity, line func(finding.Finding) string) error {
	findings, last := run.Findings(), run.Counts().String()
	if n := len(findings) - 1; n >= 0 && findings[n].Code == finding.Cost {
		findings, last = findings[:n], findings[n].Message+"\n"+last
	}
	if run.Failed() {
		if len(run.Workloads) == 0 {
			last = "no workload was processed"
		}
		last += "; nothing was changed"
	}
	if err := Text(w, findings, least, line); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w, last)
	return err
}

// Text writes the findings of at least a severity, a line each, worst first.
func Text(w io.Writer, findings []finding.Finding, least finding.Severity, line func(finding.Finding) string) error {
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
	if f.File != nil && f.File.Line > 0 {
		position = escape.Line(f.File.String()) + ":"
		line = strings.TrimPrefix(line, position)
		position = coloured(bold, position)
	}
	severity := f.Severity.String()
	return position + strings.Replace(line, severity, coloured(severityColours[f.Severity], severity), 1)
}
