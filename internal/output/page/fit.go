package page

import (
	"slices"
	"unicode/utf8"
)

// least is the width of the narrowest column that a cell is cut to.
const least = 8

// fit cuts the longest cells so that lines are at most as long as the terminal is wide. The last column, which has
// texts, gets what the others leave, and these leave at least a third of the line.
func fit(lines [][]string, width int) {
	last := len(lines[0]) - 1
	widths := make([]int, len(lines[0]))
	for _, cells := range lines {
		for i, cell := range cells {
			widths[i] = max(widths[i], min(utf8.RuneCountInString(cell), max(width, least)))
		}
	}
	room := max(width-last*gap, 0)
	for _, w := range widths[:last] {
		room -= w
	}
	// Narrower columns than the least are of no use.
	for want := min(widths[last], max(width-last*gap, 0)/3); room < want && slices.Max(widths[:last]) > least; room++ {
		widths[slices.Index(widths, slices.Max(widths[:last]))]--
	}
	widths[last] = max(room, least)
	for _, cells := range lines {
		for i := range cells {
			cells[i] = Cut(cells[i], widths[i])
		}
	}
}

// Cut returns a text with a number of characters at most. A text that is cut ends with "...".
func Cut(text string, most int) string {
	const end = "..."
	if len(text) <= most || utf8.RuneCountInString(text) <= most {
		return text
	}
	kept := 0
	for i := range text {
		if kept == max(most-len(end), 0) {
			return text[:i] + end
		}
		kept++
	}
	return text
}
