package edit

import "bytes"

// mostCells bounds the work on a change that replaces many lines by many others.
const mostCells = 1 << 20

// smallest splits a change by the lines that stay the same: those at both
// ends, and the longest common sequence in between, unless that takes too much work to find.
func smallest(lines [][]byte, c change) []change {
	for c.start < c.end && len(c.lines) > 0 && bytes.Equal(lines[c.start], c.lines[0]) {
		c.start, c.lines = c.start+1, c.lines[1:]
	}
	for c.start < c.end && len(c.lines) > 0 && bytes.Equal(lines[c.end-1], c.lines[len(c.lines)-1]) {
		c.end, c.lines = c.end-1, c.lines[:len(c.lines)-1]
	}
	olds, news := c.end-c.start, len(c.lines)
	switch {
	case olds == 0 && news == 0:
		return nil
	case olds == 0 || news == 0 || olds*news > mostCells:
		return []change{c}
	}
	common := commonLengths(lines[c.start:c.end], c.lines)
	var all []change
	from := change{start: c.start, end: c.start}
	i, j := 0, 0
	flush := func() {
		if from.end > from.start || len(from.lines) > 0 {
			all = append(all, from)
		}
		from = change{start: c.start + i, end: c.start + i}
	}
	for i < olds || j < news {
		switch {
		case i < olds && j < news && bytes.Equal(lines[c.start+i], c.lines[j]):
			i, j = i+1, j+1
			flush()
		case j == news || i < olds && common[i+1][j] >= common[i][j+1]:
			i++
			from.end++
		default:
			from.lines = append(from.lines, c.lines[j])
			j++
		}
	}
	flush()
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
