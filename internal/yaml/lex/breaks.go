package lex

import "bytes"

// BreakAt returns the number of bytes of the line break at the offset, or 0. Besides line feeds, carriage returns and both
// together, NEL, LS and PS break lines.
func BreakAt[T Text](text T, at int) int {
	if at >= len(text) {
		return 0
	}
	switch c := text[at]; {
	case c == '\r' && at+1 < len(text) && text[at+1] == '\n':
		return 2
	case IsBreak(c):
		return 1
	case !isRareBreakAt(text, at):
		return 0
	case c == 0xC2:
		return len("\u0085")
	}
	return len("\u2028")
}

// isRareBreakAt reports whether NEL, LS or PS is at the offset.
func isRareBreakAt[T Text](text T, at int) bool {
	switch text[at] {
	case 0xC2:
		return at+1 < len(text) && text[at+1] == 0x85
	case 0xE2:
		return at+2 < len(text) && text[at+1] == 0x80 && text[at+2]|1 == 0xA9
	}
	return false
}

// LineEnd returns the offset of the line break that ends the line of the offset, or the end of the text.
func LineEnd[T Text](text T, at int) int {
	for at < len(text) && BreakAt(text, at) == 0 {
		at++
	}
	return at
}

// NextLine returns the offset behind the next line feed, or the end of the text. Other line breaks do not count.
func NextLine(text []byte, at int) int {
	if size := bytes.IndexByte(text[at:], '\n'); size >= 0 {
		return at + size + 1
	}
	return len(text)
}

// HasRareBreaks reports whether a text has line breaks that most programs do not recognise: a carriage return alone, NEL, LS or PS.
func HasRareBreaks(text []byte) bool {
	return HasLoneReturn(text) || bytes.Contains(text, []byte("\u0085")) ||
		bytes.IndexByte(text, 0xE2) >= 0 && (bytes.Contains(text, []byte("\u2028")) || bytes.Contains(text, []byte("\u2029")))
}

// HasLoneReturn reports whether a text has a carriage return without a line feed behind it.
func HasLoneReturn(text []byte) bool {
	returns := bytes.Count(text, []byte{'\r'})
	return returns > 0 && returns != bytes.Count(text, []byte("\r\n"))
}

// LineBreak returns the line break that a text uses, "\n" or "\r\n".
func LineBreak(text []byte) string {
	if i := bytes.IndexByte(text, '\n'); i > 0 && text[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}
