package edit

import (
	"bytes"
	"fmt"
	"strings"
)

// Context is the usual number of lines around a change in a unified diff.
const Context = 3

// Unified returns the edits of a text as the hunks of a unified diff, with lines of context around them. Number is
// the number of the text's first line. The diff is empty if the edits change nothing.
func Unified(text []byte, edits []Edit, number, context int) []byte {
	return UnifiedIn(text, edits, number, context, func(int) string { return "" })
}

// UnifiedIn is like Unified, with heads of hunks that end with what the section returns for the index of their first
// changed line, as git ends them with the name of a function.
func UnifiedIn(text []byte, edits []Edit, number, context int, section func(line int) string) []byte {
	lines := splitLines(text)
	all := changes(text, lines, edits)
	var b bytes.Buffer
	grown := 0 // by how many lines the text has grown so far
	for len(all) > 0 {
		count := 1
		for count < len(all) && all[count].start-all[count-1].end <= 2*context {
			count++
		}
		grown += writeHunk(&b, lines, all[:count], hunk{number, context, grown, section(all[0].start)})
		all = all[count:]
	}
	return b.Bytes()
}

type hunk struct {
	number, context, grown int
	section                string
}

// writeHunk writes changes that are close to each other, and returns by how many lines they make the text grow.
func writeHunk(b *bytes.Buffer, lines [][]byte, all []change, h hunk) int {
	start, end := max(all[0].start-h.context, 0), min(all[len(all)-1].end+h.context, len(lines))
	grown := 0
	for _, c := range all {
		grown += len(c.lines) - (c.end - c.start)
	}
	old, now := end-start, end-start+grown
	head := fmt.Sprintf("@@ -%s +%s @@ %s", span(start+h.number, old), span(start+h.number+h.grown, now), h.section)
	b.WriteString(strings.TrimSpace(head) + "\n")
	at := start
	for _, c := range all {
		writeLines(b, ' ', lines[at:c.start])
		writeLines(b, '-', lines[c.start:c.end])
		writeLines(b, '+', c.lines)
		at = c.end
	}
	writeLines(b, ' ', lines[at:end])
	return grown
}

// span returns a range of lines as in the head of a hunk. For an empty range, that is the line before it.
func span(start, count int) string {
	if count == 0 {
		start--
	}
	return fmt.Sprintf("%d,%d", start, count)
}

func writeLines(b *bytes.Buffer, mark byte, lines [][]byte) {
	for _, line := range lines {
		b.WriteByte(mark)
		b.Write(line)
		if !ended(line) {
			b.WriteString("\n\\ No newline at end of file\n")
		}
	}
}
