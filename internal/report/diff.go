package report

import (
	"fmt"
	"strings"

	"pillion.dev/pillion/internal/edit"
)

// After is the text as it would be, nil where it stays.
func (r Row) After() []byte {
	if r.Edits == nil {
		return nil
	}
	return edit.Apply(r.Before, r.Edits)
}

// Diff is the change to the workload as a unified diff, empty where there is none. Its numbers are those
// of the lines in the file.
func (r Row) Diff() []byte {
	name := r.Object.String()
	if r.File != nil {
		name = r.File.Path
	}
	return UnifiedDiff(name, r.unified(edit.Context))
}

func (r Row) unified(context int) []byte {
	return edit.Unified(r.Before, r.Edits, max(r.Line, 1), context)
}

// UnifiedDiff is a unified diff of a file by its hunks, empty where there are none. As git does, it quotes a name with
// unusual characters, and puts a tab behind a name with a space in it, which would end there to patch.
func UnifiedDiff(name string, hunks []byte) []byte {
	if len(hunks) == 0 {
		return nil
	}
	before, after, end := quotedPath("a/"+name), quotedPath("b/"+name), ""
	if strings.Contains(name, " ") {
		end = "\t"
	}
	return append(fmt.Appendf(nil, "diff %[1]s %[2]s\n--- %[1]s%[3]s\n+++ %[2]s%[3]s\n", before, after, end), hunks...)
}

// hunks are the lines of the diff without its head, which only repeats the name. What a terminal
// or a browser would act on instead of showing it, such as a change of writing direction, is escaped.
func (r Row) hunks(context int) []string {
	var lines []string
	for line := range strings.Lines(string(r.unified(context))) {
		lines = append(lines, visible(strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")))
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
