package manifest

import (
	"bytes"

	"pillion.dev/pillion/internal/text/yaml/lex"
)

// splitDocuments returns the range of each document, given the offsets of all markers. A document marker at the start
// of a line ends a document even inside of quotes, so this needs no scanner.
//
// A document begins behind its "---" line. If that line holds more than the marker, or tags are declared before it, the
// document includes these lines.
func splitDocuments(text []byte, markers []int) []span {
	nextMarker := func(at int) int { // the next one at or behind an offset, or the end of the text
		for len(markers) > 0 && markers[0] < at {
			markers = markers[1:]
		}
		if len(markers) == 0 {
			return len(text)
		}
		return markers[0]
	}
	var spans []span
	start := firstLine(text)
	for start < len(text) {
		from := start
		if lex.IsMarkerAt(text, start) {
			from = lex.NextLine(text, start)
			if text[start] == '.' || isMarkerAlone(text, start) {
				start = from
				continue
			}
		}
		end := nextMarker(from)
		if end < len(text) && text[end] == '-' && isProlog(text[start:end]) {
			if isMarkerAlone(text, end) && !bytes.Contains(text[start:end], []byte("%TAG")) {
				start = lex.NextLine(text, end)
				end = nextMarker(start)
			} else {
				end = nextMarker(lex.NextLine(text, end))
			}
		}
		spans = append(spans, span{start, end})
		start = end
	}
	return spans
}

// isMarkerAlone reports whether at most a comment follows the marker on its line.
func isMarkerAlone(text []byte, marker int) bool {
	rest := bytes.TrimLeft(text[marker+3:lex.NextLine(text, marker)], " \t\r\n")
	return len(rest) == 0 || rest[0] == '#'
}

// isProlog reports whether the text before a "---" belongs to the document behind it, because it has directives, such
// as "%YAML 1.2", and no content.
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
