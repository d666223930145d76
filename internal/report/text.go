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
)

// Text writes the findings of at least a severity, a line each, worst first.
func Text(w io.Writer, findings []finding.Finding, least finding.Severity, line func(finding.Finding) string) error {
	said := slices.DeleteFunc(slices.Clone(findings), func(f finding.Finding) bool { return f.Severity < least })
	slices.SortStableFunc(said, func(a, b finding.Finding) int { return cmp.Compare(b.Severity, a.Severity) })
	for _, f := range said {
		if _, err := fmt.Fprintln(w, line(f)); err != nil {
			return err
		}
	}
	return nil
}

// Line is a finding for people: how bad, the code, where, what, and whose; then its details, a
// line each. Where the place in a file is known, that comes first, in the form that editors jump to.
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

// OneLine escapes what would move a terminal's cursor: names in manifests are a stranger's words.
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
