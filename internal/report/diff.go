package report

import (
	"bytes"
	"fmt"
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

// tighten leaves one line around each change of a diff, where there are three.
func tighten(lines []string) []string {
	var out []string
	var old, now int // the numbers of the next line
	for i := 0; i < len(lines); {
		if _, err := fmt.Sscanf(lines[i], "@@ -%d,%d +%d,%d @@", &old, new(int), &now, new(int)); err == nil {
			i++
			continue
		}
		start := i
		for i < len(lines) && isNear(lines, i) {
			i++
		}
		if start == i { // neither a change nor beside one
			old, now, i = old+1, now+1, i+1
			continue
		}
		hunk := lines[start:i]
		added, gone := counted(hunk, '+'), counted(hunk, '-')
		same := counted(hunk, ' ')
		out = append(out, fmt.Sprintf("@@ -%d,%d +%d,%d @@", old, gone+same, now, added+same))
		out = append(out, hunk...)
		old, now = old+gone+same, now+added+same
	}
	return out
}

// isNear tells whether a line of a diff is a change, or the one before or behind it.
func isNear(lines []string, at int) bool {
	switch {
	case strings.HasPrefix(lines[at], "@@"):
		return false
	case strings.HasPrefix(lines[at], `\`): // that the line above has no end
		return isNear(lines, at-1)
	}
	return slices.ContainsFunc(lines[max(at-1, 0):min(at+2, len(lines))], func(line string) bool {
		return line != "" && strings.ContainsRune("+-", rune(line[0]))
	})
}

func counted(lines []string, kind byte) int {
	n := 0
	for _, line := range lines {
		if line != "" && line[0] == kind {
			n++
		}
	}
	return n
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
