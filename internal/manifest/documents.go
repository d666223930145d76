package manifest

import "bytes"

// splitDocuments finds the text of each document. A line that begins with "---" or "..." ends
// a document wherever it stands, even inside of quotes, so this needs no scanner.
//
// The text of a document begins behind its "---" line, unless that line holds more than the
// marker or tags are declared before it: then they belong to the document.
func splitDocuments(text []byte) []span {
	var spans []span
	start := 0
	if bytes.HasPrefix(text, byteOrderMark) {
		start = len(byteOrderMark)
	}
	for start < len(text) {
		from := start
		if isMarker(text, start) {
			from = lineEnd(text, start)
			if text[start] == '.' || markerStandsAlone(text, start) {
				start = from
				continue
			}
		}
		end := nextMarker(text, from)
		if end < len(text) && text[end] == '-' && isProlog(text[start:end]) {
			if markerStandsAlone(text, end) && !bytes.Contains(text[start:end], []byte("%TAG")) {
				start = lineEnd(text, end)
				end = nextMarker(text, start)
			} else {
				end = nextMarker(text, lineEnd(text, end))
			}
		}
		spans = append(spans, span{start, end})
		start = end
	}
	return spans
}

// nextMarker is the offset of the next line at or behind the offset, which begins a line, that
// begins with a document marker, or the end of the text.
func nextMarker(text []byte, at int) int {
	if isMarker(text, at) {
		return at
	}
	for at < len(text) {
		next := bytes.IndexByte(text[at:], '\n')
		if next < 0 {
			return len(text)
		}
		at += next + 1
		if at < len(text) && (text[at] == '-' || text[at] == '.') && isMarker(text, at) {
			return at
		}
	}
	return len(text)
}

func isMarker(text []byte, at int) bool {
	if at+3 > len(text) {
		return false
	}
	if mark := string(text[at : at+3]); mark != "---" && mark != "..." {
		return false
	}
	return at+3 == len(text) || isBlank(text[at+3]) || isBreak(text[at+3])
}

// markerStandsAlone tells whether nothing but a comment follows the marker on its line.
func markerStandsAlone(text []byte, marker int) bool {
	rest := bytes.TrimLeft(text[marker+3:lineEnd(text, marker)], " \t\r\n")
	return len(rest) == 0 || rest[0] == '#'
}

// isProlog tells whether the text before a "---" belongs to the document behind it: it holds
// directives, such as "%YAML 1.2", and no content.
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

// lineEnd is the offset behind the line break of the line that the offset stands in.
func lineEnd(text []byte, at int) int {
	if next := bytes.IndexByte(text[at:], '\n'); next >= 0 {
		return at + next + 1
	}
	return len(text)
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

func isBreak(c byte) bool { return c == '\n' || c == '\r' }
