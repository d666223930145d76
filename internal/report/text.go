package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"pillion.dev/pillion/finding"
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
			last = "no workload was looked at"
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

// Line returns a finding for people: severity, code, object, message and injector; then its details, a line each. If the
// position in a file is known, it comes first, in the form that editors jump to.
func Line(f finding.Finding) string { return line(f, plain) }

// ColourLine returns Line with colours for a terminal.
func ColourLine(f finding.Finding) string { return line(f, coloured) }

func line(f finding.Finding, paint painter) string {
	severity := paint(severityColours[f.Severity], f.Severity.String())
	head := severity + " " + string(f.Code) + ": "
	if f.File != nil && f.File.Line > 0 {
		head = paint(bold, OneLine(f.File.String())+":") + " " + severity + ": " + string(f.Code) + ": "
	}
	text := head + OneLine(about(f)+f.Message+injectorSuffix(f))
	for detail := range strings.Lines(f.Detail) {
		text += "\n    " + OneLine(strings.TrimSuffix(detail, "\n"))
	}
	return text
}

// about returns the object of a finding, with its file unless the line begins with that.
func about(f finding.Finding) string {
	var parts []string
	if f.Object != nil {
		parts = append(parts, f.Object.String())
	}
	if f.File != nil && f.File.Line == 0 && f.File.Path != "" {
		parts = append(parts, f.File.Path)
	}
	if len(parts) == 0 {
		return ""
	}
	return strings.Join(parts, " in ") + ": "
}

func injectorSuffix(f finding.Finding) string {
	if f.Injector == "" {
		return ""
	}
	return " [" + f.Injector + "]"
}

// OneLine escapes characters that would move a terminal's cursor: anyone may have written the names in manifests.
func OneLine(text string) string {
	if !strings.ContainsFunc(text, unprintable) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if unprintable(r) {
			quoted := strconv.QuoteRuneToASCII(r)
			b.WriteString(quoted[1 : len(quoted)-1])
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

func unprintable(r rune) bool { return !unicode.IsPrint(r) }
