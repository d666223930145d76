package lex

import "bytes"

// LineEnd returns the offset of the line break that ends the line of the offset, or the end of the text.
func LineEnd(text []byte, at int) int {
	size := bytes.IndexByte(text[at:], '\n')
	switch {
	case size < 0:
		return len(text)
	case size > 0 && text[at+size-1] == '\r':
		size--
	}
	return at + size
}

// NextLine returns the offset behind the next line feed, or the end of the text.
func NextLine(text []byte, at int) int {
	if size := bytes.IndexByte(text[at:], '\n'); size >= 0 {
		return at + size + 1
	}
	return len(text)
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
