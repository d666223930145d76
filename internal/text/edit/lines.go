package edit

import "bytes"

// change is a range of lines, counted from 0, and the lines that replace them.
type change struct {
	start, end int
	lines      [][]byte
}

// changes returns the changes of lines that the edits of a text make, in order and as small as possible.
func changes(text []byte, lines [][]byte, edits []Edit) []change {
	var all []change
	line, offset := 0, 0 // the current line, and the offset at which it begins
	seek := func(to int) {
		for line < len(lines) && offset+len(lines[line]) <= to {
			offset += len(lines[line])
			line++
		}
	}
	for i := 0; i < len(edits); {
		seek(edits[i].Start)
		if line > 0 && offset == len(text) && !ended(lines[line-1]) { // behind a last line without an end
			line--
			offset -= len(lines[line])
		}
		c, at, now := change{start: line}, offset, []byte(nil)
		for {
			now = append(append(now, text[at:edits[i].Start]...), edits[i].Text...)
			at = edits[i].End
			i++
			seek(at)
			if at > offset || at == offset && len(now) > 0 && !ended(now) { // the rest of the line belongs to it
				line, offset = nextLine(lines, line, offset)
			}
			if i == len(edits) || edits[i].Start > offset {
				break
			}
		}
		now = append(now, text[at:offset]...)
		c.end, c.lines = line, splitLines(now)
		all = append(all, smallest(lines, c)...)
	}
	return all
}

func nextLine(lines [][]byte, line, offset int) (int, int) {
	if line == len(lines) {
		return line, offset
	}
	return line + 1, offset + len(lines[line])
}

func ended(line []byte) bool { return len(line) > 0 && line[len(line)-1] == '\n' }

// splitLines returns the lines of a text with their ends.
func splitLines(text []byte) [][]byte {
	lines := make([][]byte, 0, bytes.Count(text, []byte{'\n'})+1)
	for line := range bytes.Lines(text) {
		lines = append(lines, line)
	}
	return lines
}
