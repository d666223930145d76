package manifest

import (
	"bytes"

	"pillion.dev/pillion/internal/yaml/lex"
)

// splitDocuments returns the range of each document. A document marker at the start of a line ends a document even inside of
// quotes, so this needs no scanner.
//
// A document begins behind its "---" line. If that line holds more than the marker, or tags are declared before it, the document
// includes these lines.
func splitDocuments(text []byte) []span {
	var spans []span
	start, marker := 0, markers{text, -1, -1}
	if bytes.HasPrefix(text, []byte(lex.ByteOrderMark)) {
		start = len(lex.ByteOrderMark)
	}
	for start < len(text) {
		from := start
		if lex.IsMarkerAt(text, start) {
			from = lex.NextLine(text, start)
			if text[start] == '.' || isMarkerAlone(text, start) {
				start = from
				continue
			}
		}
		end := marker.next(from)
		if end < len(text) && text[end] == '-' && isProlog(text[start:end]) {
			if isMarkerAlone(text, end) && !bytes.Contains(text[start:end], []byte("%TAG")) {
				start = lex.NextLine(text, end)
				end = marker.next(start)
			} else {
				end = marker.next(lex.NextLine(text, end))
			}
		}
		spans = append(spans, span{start, end})
		start = end
	}
	return spans
}

// markers finds document markers. It looks for both kinds at once, and for none of them twice in the same text.
type markers struct {
	text         []byte
	dashes, dots int // the next ones; less than an offset if they are before it
}

// next returns the offset of the next document marker at or behind the offset, which begins a line, or the end of the text.
func (m *markers) next(at int) int {
	if m.dashes < at {
		m.dashes = nextLineWith(m.text, at, "\n---")
	}
	if m.dots < at {
		m.dots = nextLineWith(m.text, at, "\n...")
	}
	return min(m.dashes, m.dots)
}

// nextLineWith returns the offset of the next line that begins with a marker, which is given with the line feed before it, or the end of
// the text.
func nextLineWith(text []byte, at int, marker string) int {
	for at < len(text) && (text[at] != marker[1] || !lex.IsMarkerAt(text, at)) {
		next := bytes.Index(text[at:], []byte(marker))
		if next < 0 {
			return len(text)
		}
		at += next + 1
	}
	return at
}

// isMarkerAlone reports whether at most a comment follows the marker on its line.
func isMarkerAlone(text []byte, marker int) bool {
	rest := bytes.TrimLeft(text[marker+3:lex.NextLine(text, marker)], " \t\r\n")
	return len(rest) == 0 || rest[0] == '#'
}

// isProlog reports whether the text before a "---" belongs to the document behind it, because it has directives, such as
// "%YAML 1.2", and no content.
func isProlog(text []byte) bool {
	found := false
	for line := range bytes.Lines(text) {
		switch trimmed := bytes.TrimSpace(line); {
		case line[0] == '%':
			found = true
		case len(trimmed) > 0 && trimmed[0] != '#':
			return false
		}
	}
	return found
}
