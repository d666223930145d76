package report

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"pillion.dev/pillion/internal/core/outcome"
	"pillion.dev/pillion/internal/text/edit"
	"pillion.dev/pillion/internal/text/escape"
)

// Diff returns the change to a workload as a unified diff with the line numbers of the file. It is empty if there is
// none.
func Diff(w *outcome.Workload) []byte {
	name := w.Object.String()
	if w.File != nil {
		name = w.File.Path
	}
	return UnifiedDiff(name, w.Hunks(edit.Context))
}

// UnifiedDiff returns hunks as the unified diff of a file, or nil if there are none. Like git, it quotes a name with
// unusual characters, and puts a tab after a name with a space, because otherwise the name would end at the space for
// patch.
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

// Hunks returns the edits of a text as hunks whose heads name the workloads, given the workloads that are written in
// the text and behind it, and those behind it.
func Hunks(text []byte, edits []edit.Edit, written []*outcome.Workload) (hunks []byte, rest []*outcome.Workload) {
	section, rest := sections(text, edits, written)
	return edit.UnifiedIn(text, edits, 1, edit.Context, section), rest
}

// sections returns which workload a line of a text belongs to, given the edits of the text and the workloads that are
// written in it and behind it, and those behind it.
func sections(text []byte, edits []edit.Edit, written []*outcome.Workload) (of func(line int) string, rest []*outcome.Workload) {
	var names []string
	var starts []int // the indexes of the lines of their first edits
	for line, counted := 0, 0; len(edits) > 0; written = written[1:] {
		line += bytes.Count(text[counted:edits[0].Start], []byte("\n"))
		counted = edits[0].Start
		names, starts = append(names, written[0].Object.String()), append(starts, line)
		edits = edits[len(written[0].Edits):]
	}
	return func(line int) string {
		next, _ := slices.BinarySearch(starts, line+1)
		return escape.Line(names[max(next-1, 0)])
	}, written
}

// quotedPath returns a path as git writes it into a diff: unchanged, or as a C string if it has a quote, a backslash, a
// control character or a byte that is not ASCII.
func quotedPath(path string) string {
	var b strings.Builder
	for i := range len(path) {
		b.WriteString(quotedByte(path[i]))
	}
	if b.Len() == len(path) {
		return path
	}
	return `"` + b.String() + `"`
}

func quotedByte(c byte) string {
	const escaped, letters = "\a\b\t\n\v\f\r\"\\", `abtnvfr"\`
	switch i := strings.IndexByte(escaped, c); {
	case i >= 0:
		return `\` + letters[i:i+1]
	case c < ' ' || c >= 0x7f:
		return fmt.Sprintf(`\%03o`, c)
	}
	return string(rune(c))
}
