package edit

import (
	"bytes"
	"fmt"
)

// Context is the usual number of lines around a change in a unified diff.
const Context = 3

// Unified returns the edits of a text as the hunks of a unified diff, with lines of context around them. Number is
// the number of the text's first line. The diff is empty if the edits change nothing.
func Unified(text []byte, edits []Edit, number, context int) []byte {
	lines := splitLines(text)
	all := changes(text, lines, edits)
	var b bytes.Buffer
	grown := 0 // by how many lines the text has grown so far
	for len(all) > 0 {
		count := 1
		for count < len(all) && all[count].start-all[count-1].end <= 2*context {
			count++
		}
		grown += writeHunk(&b, lines, all[:count], hunk{number, context, grown})
		all = all[count:]
	}
	return b.Bytes()
}

type hunk struct{ number, context, grown int }

// writeHunk writes changes that are close to each other, and returns by how many lines they make the text grow.
func writeHunk(b *bytes.Buffer, lines [][]byte, all []change, h hunk) int {
	start, end := max(all[0].start-h.context, 0), min(all[len(all)-1].end+h.context, len(lines))
	grown := 0
	for _, c := range all {
		grown += len(c.lines) - (c.end - c.start)
	}
	old, now := end-start, end-start+grown
	fmt.Fprintf(b, "@@ -%s +%s @@\n", span(start+h.number, old), span(start+h.number+h.grown, now))
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
