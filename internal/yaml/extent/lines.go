package extent

import (
	"bytes"
	"unicode/utf8"
)

// Lines knows where the lines of a text begin. A line ends where the YAML parser ends it,
// which is also at a lone carriage return, NEL, LS and PS.
type Lines struct {
	text   []byte
	starts []int
}

// NewLines indexes the lines of text.
func NewLines(text []byte) Lines {
	starts := make([]int, 1, 2+bytes.Count(text, []byte{'\n'}))
	if bytes.HasPrefix(text, []byte("\ufeff")) {
		starts[0] = len("\ufeff") // the parser does not count a byte order mark
	}
	if !hasOtherBreaks(text) {
		for at := starts[0]; ; {
			end := bytes.IndexByte(text[at:], '\n')
			if end < 0 {
				return Lines{text: text, starts: starts}
			}
			at += end + 1
			starts = append(starts, at)
		}
	}
	for at := starts[0]; at < len(text); {
		if size := BreakAt(text, at); size > 0 {
			at += size
			starts = append(starts, at)
			continue
		}
		at++
	}
	return Lines{text: text, starts: starts}
}

// hasOtherBreaks tells whether anything but a plain line feed may end a line.
func hasOtherBreaks(text []byte) bool {
	return bytes.IndexByte(text, '\r') >= 0 || bytes.IndexByte(text, 0xC2) >= 0 || bytes.IndexByte(text, 0xE2) >= 0
}

// BreakAt is the number of bytes of the line break at the offset, or 0.
func BreakAt(text []byte, at int) int {
	if at >= len(text) {
		return 0
	}
	switch text[at] {
	case '\n':
		return 1
	case '\r':
		if at+1 < len(text) && text[at+1] == '\n' {
			return 2
		}
		return 1
	case 0xC2: // NEL
		if at+1 < len(text) && text[at+1] == 0x85 {
			return 2
		}
	case 0xE2: // LS and PS
		if at+2 < len(text) && text[at+1] == 0x80 && (text[at+2] == 0xA8 || text[at+2] == 0xA9) {
			return 3
		}
	}
	return 0
}

// of is the index of the line that the offset stands in.
func (l Lines) of(offset int) int {
	low, high := 0, len(l.starts)
	for low+1 < high {
		middle := (low + high) / 2
		if l.starts[middle] <= offset {
			low = middle
		} else {
			high = middle
		}
	}
	return low
}

// Number is the number of the line that the offset stands in, from 1.
func (l Lines) Number(offset int) int { return l.of(offset) + 1 }

// Start is where the line of the offset begins.
func (l Lines) Start(offset int) int { return l.starts[l.of(offset)] }

// Next is where the line behind the offset's begins, or the end of the text.
func (l Lines) Next(offset int) int {
	if line := l.of(offset); line+1 < len(l.starts) {
		return l.starts[line+1]
	}
	return len(l.text)
}

// ContentEnd is where the line of the offset ends, without its line break.
func (l Lines) ContentEnd(offset int) int {
	for offset < len(l.text) && BreakAt(l.text, offset) == 0 {
		offset++
	}
	return offset
}

// Column counts the characters before the offset on its line.
func (l Lines) Column(offset int) int {
	return utf8.RuneCount(l.text[l.Start(offset):offset])
}

// Offset is the place of a node's line and column, both from 1, or -1 where the text has none.
func (l Lines) Offset(line, column int) int {
	var p place
	return p.move(l, line, column)
}

// place is a line and column with their offset. It remembers how far it has come: from one
// node to the next on a long line is not far.
type place struct{ line, column, offset int }

// move goes to a line and column and is the offset there, or -1 where the text has none.
func (p *place) move(l Lines, line, column int) int {
	if line < 1 || line > len(l.starts) {
		return -1
	}
	if line != p.line || column < p.column {
		*p = place{line, 1, l.starts[line-1]}
	}
	for ; p.column < column; p.column++ {
		if p.offset >= len(l.text) {
			return -1
		}
		_, size := utf8.DecodeRune(l.text[p.offset:])
		p.offset += size
	}
	return p.offset
}
