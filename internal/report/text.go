package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"pillion.dev/pillion/internal/finding"
)

// Text writes the findings of at least a severity, a line each, worst first.
func Text(w io.Writer, findings []finding.Finding, least finding.Severity) error {
	said := slices.DeleteFunc(slices.Clone(findings), func(f finding.Finding) bool { return f.Severity < least })
	slices.SortStableFunc(said, func(a, b finding.Finding) int { return cmp.Compare(b.Severity, a.Severity) })
	for _, f := range said {
		if _, err := fmt.Fprintln(w, Line(f)); err != nil {
			return err
		}
	}
	return nil
}

// Line is a finding for people: how bad, the code, where, what, and whose; then its details, a
// line each.
func Line(f finding.Finding) string {
	var b strings.Builder
	b.WriteString(f.Severity.String() + " " + string(f.Code) + ": ")
	if f.Object != nil {
		b.WriteString(f.Object.String())
		if f.File != nil {
			b.WriteString(" in " + f.File.Path)
		}
		b.WriteString(": ")
	}
	b.WriteString(f.Message)
	if f.Injector != "" {
		b.WriteString(" [" + f.Injector + "]")
	}
	line := oneLine(b.String())
	for detail := range strings.SplitSeq(strings.TrimSuffix(f.Detail, "\n"), "\n") {
		if f.Detail != "" {
			line += "\n    " + oneLine(detail)
		}
	}
	return line
}

// oneLine escapes what would move a terminal's cursor: names in manifests are a stranger's words.
func oneLine(text string) string {
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
