package edit

import "bytes"

// mostCells bounds the work on a change that replaces many lines by many others.
const mostCells = 1 << 20

// smallest splits a change by the lines that stay the same: those at both
// ends, and the longest common sequence in between, unless that takes too much work to find.
func smallest(lines [][]byte, c change) []change {
	c = withoutSameEnds(lines, c)
	olds, news := lines[c.start:c.end], c.lines
	if len(olds) == 0 && len(news) == 0 {
		return nil
	}
	if len(olds) == 0 || len(news) == 0 || len(olds)*len(news) > mostCells {
		return []change{c}
	}
	return between(olds, news, c.start)
}

// withoutSameEnds returns a change without the lines at both ends that stay the same.
func withoutSameEnds(lines [][]byte, c change) change {
	for c.start < c.end && len(c.lines) > 0 && bytes.Equal(lines[c.start], c.lines[0]) {
		c.start++
		c.lines = c.lines[1:]
	}
	for c.start < c.end && len(c.lines) > 0 && bytes.Equal(lines[c.end-1], c.lines[len(c.lines)-1]) {
		c.end--
		c.lines = c.lines[:len(c.lines)-1]
	}
	return c
}

// between returns the changes between the lines that old and new ones have in common, given the index of the first old
// line.
func between(olds, news [][]byte, first int) []change {
	common := commonLengths(olds, news)
	isSame := func(i, j int) bool { return i < len(olds) && j < len(news) && bytes.Equal(olds[i], news[j]) }
	var all []change
	i, j := 0, 0
	for i < len(olds) || j < len(news) {
		if isSame(i, j) {
			i++
			j++
			continue
		}
		start, startNew := i, j
		for (i < len(olds) || j < len(news)) && !isSame(i, j) {
			if j == len(news) || i < len(olds) && common[i+1][j] >= common[i][j+1] {
				i++
			} else {
				j++
			}
		}
		all = append(all, change{start: first + start, end: first + i, lines: news[startNew:j]})
	}
	return all
}

// commonLengths returns how many lines the rest of a and the rest of b have in common at most, by the indexes at which
// the rests begin.
func commonLengths(a, b [][]byte) [][]int32 {
	lengths := make([][]int32, len(a)+1)
	for i := range lengths {
		lengths[i] = make([]int32, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if bytes.Equal(a[i], b[j]) {
				lengths[i][j] = lengths[i+1][j+1] + 1
			} else {
				lengths[i][j] = max(lengths[i+1][j], lengths[i][j+1])
			}
		}
	}
	return lengths
}
