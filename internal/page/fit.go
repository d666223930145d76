package page

import "unicode/utf8"

// fit cuts the longest cells so that lines are at most as long as the terminal is wide. The last column, which has texts, gets what the
// others leave, and these leave at least a third of the line.
func fit(lines [][]string, width int) {
	last := len(lines[0]) - 1
	widths := widthsOf(lines, max(width, least))
	room := max(width-last*gap, 0)
	others := room - min(widths[last], room/3)
	for sum(widths[:last]) > others {
		widest := 0
		for i := range widths[:last] {
			if widths[i] > widths[widest] {
				widest = i
			}
		}
		if widths[widest] <= least {
			break // narrower columns are of no use
		}
		widths[widest]--
	}
	widths[last] = max(room-sum(widths[:last]), least)
	for _, cells := range lines {
		for i := range cells {
			cells[i] = Cut(cells[i], widths[i])
		}
	}
}

// least is the width of the narrowest column that a cell is cut to.
const least = 8

// widthsOf returns the widths of the columns, which are those of their longest cells up to a most.
func widthsOf(lines [][]string, most int) []int {
	widths := make([]int, len(lines[0]))
	for _, cells := range lines {
		for i, cell := range cells {
			widths[i] = max(widths[i], min(utf8.RuneCountInString(cell), most))
		}
	}
	return widths
}

func sum(numbers []int) int {
	total := 0
	for _, n := range numbers {
		total += n
	}
	return total
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
