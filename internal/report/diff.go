package report

import (
	"bytes"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
)

// Diff is the change to the workload as a unified diff, empty where there is none.
func (r Row) Diff() []byte {
	if r.After == nil || bytes.Equal(r.Before, r.After) {
		return nil
	}
	name := r.Object.String()
	if r.File != nil {
		name = r.File.Path
	}
	name = OneLine(name)
	return diff.Diff("a/"+name, r.Before, "b/"+name, r.After)
}

// hunks are the lines of the diff without its head, which only repeats the name. What a terminal
// or a browser would act on instead of showing it, such as a change of writing direction, is escaped.
func (r Row) hunks() []string {
	lines := strings.Split(strings.TrimSuffix(string(r.Diff()), "\n"), "\n")
	start := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, "@@") })
	if start < 0 {
		return nil
	}
	lines = lines[start:]
	for i, line := range lines {
		lines[i] = visible(strings.TrimSuffix(line, "\r"))
	}
	return lines
}

// visibleLines is visible for a text of several lines.
func visibleLines(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = visible(line)
	}
	return strings.Join(lines, "\n")
}

// visible escapes as OneLine does, and leaves the tabs, which a page shows as what they are.
func visible(line string) string {
	parts := strings.Split(strings.ToValidUTF8(line, "\uFFFD"), "\t")
	for i, part := range parts {
		parts[i] = OneLine(part)
	}
	return strings.Join(parts, "\t")
}
