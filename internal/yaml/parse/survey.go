package parse

import (
	"unicode/utf8"

	"pillion.dev/pillion/internal/yaml/lex"
)

// survey looks for the characters that decide how the text is read, so that the rest of the reader need not. It returns false if
// the text has characters that YAML forbids, or line breaks that most programs do not recognise.
func (r *reader) survey(text []byte) bool {
	for _, c := range text {
		switch {
		case c >= ' ' && c < 0x7f, c == '\n', c == '\r':
		case c == '\t':
			r.tabs = true
		case c >= utf8.RuneSelf:
			r.wide = true
		default:
			return false
		}
	}
	return !lex.HasLoneReturn(text) && (!r.wide || hasOrdinaryRunes(r.text))
}

// hasOrdinaryRunes reports whether the text is UTF-8 without the characters that YAML forbids or treats as more than text: NEL,
// LS and PS end lines, and a byte order mark vanishes.
func hasOrdinaryRunes(text string) bool {
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
