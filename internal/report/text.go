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

// RunText writes what people should see of a run: the findings of at least a severity, worst first, what the sidecars cost,
// and the counts.
func RunText(w io.Writer, run outcome.Run, least finding.Severity, line func(finding.Finding) string) error {
	findings := slices.DeleteFunc(run.Findings(), func(f finding.Finding) bool { return f.Code == finding.Cost })
	if err := Text(w, findings, least, line); err != nil {
		return err
	}
	failed, last := run.Failed(), run.Counts().String()
	if total := run.Cost().String(); total != "" && !failed {
		last = total + "\n" + last
	}
	switch {
	case failed && len(run.Workloads) == 0:
		last = "no workload was looked at; nothing was changed"
	case failed:
		last += "; nothing was changed"
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

// Line is a finding for people: severity, code, object, message and injector; then its details, a line each. Where the position
// in a file is known, it comes first, in the form that editors jump to.
func Line(f finding.Finding) string { return line(f, plainly) }

// ColourLine is Line with colours for a terminal.
func ColourLine(f finding.Finding) string { return line(f, colourly) }

func line(f finding.Finding, paint painter) string {
	head := paint.severity(f.Severity) + " " + string(f.Code) + ": "
	if f.File != nil && f.File.Line > 0 {
		head = paint.place(OneLine(f.File.String())+":") + " " + paint.severity(f.Severity) + ": " + string(f.Code) + ": "
	}
	return head + OneLine(about(f)+f.Message+whose(f)) + details(f)
}

// details are the lines below a finding.
func details(f finding.Finding) string {
	if f.Detail == "" {
		return ""
	}
	lines := ""
	for detail := range strings.SplitSeq(strings.TrimSuffix(f.Detail, "\n"), "\n") {
		lines += "\n    " + OneLine(detail)
	}
	return lines
}

// about is the object of a finding, with its file where the line does not begin with it.
func about(f finding.Finding) string {
	place := ""
	if f.File != nil && f.File.Line == 0 {
		place = f.File.Path
	}
	switch {
	case f.Object == nil && place == "":
		return ""
	case f.Object == nil:
		return place + ": "
	case place != "":
		return f.Object.String() + " in " + place + ": "
	default:
		return f.Object.String() + ": "
	}
}

func whose(f finding.Finding) string {
	if f.Injector == "" {
		return ""
	}
	return " [" + f.Injector + "]"
}

// OneLine escapes what would move a terminal's cursor: anyone may have written the names in manifests.
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
