package parse

import (
	"strings"
	"unicode/utf8"

	"pillion.dev/pillion/internal/yaml/lex"
)

// trait is a property of the bytes of a text that decides how it is read.
type trait uint8

const (
	// nonASCII text has columns that are not byte offsets.
	nonASCII trait = 1 << iota
	// carriageReturn text may have line breaks that most programs do not take for such.
	carriageReturn
	// tab is a blank, except where YAML forbids it.
	tab
	// unreadable text holds control characters, which YAML forbids.
	unreadable
)

// survey returns the traits of a text, so that the reader itself need not look for
// characters that are not allowed.
func survey(text []byte) (found trait) {
	for _, c := range text {
		switch {
		case c >= ' ' && c < 0x7f, c == '\n':
		case c == '\t':
			found |= tab
		case c >= utf8.RuneSelf:
			found |= nonASCII
		case c == '\r':
			found |= carriageReturn
		default:
			found |= unreadable
		}
	}
	return found
}

// onlyFullLineEnds reports whether a line feed follows every carriage return.
func onlyFullLineEnds(text string) bool {
	return strings.Count(text, "\r") == strings.Count(text, "\r\n")
}

// onlyOrdinaryRunes reports whether the text is UTF-8 without the characters that YAML forbids
// or treats as more than text: NEL, LS and PS end lines, and a byte order mark vanishes.
func onlyOrdinaryRunes(text string) bool {
	for at := 0; at < len(text); {
		if text[at] < utf8.RuneSelf {
			at++
			continue
		}
		c, size := utf8.DecodeRuneInString(text[at:])
		if c == utf8.RuneError && size == 1 || !lex.IsPrintable(c) {
			return false
		}
		at += size
	}
	return true
}
