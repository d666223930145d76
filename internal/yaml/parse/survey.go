package parse

import (
	"unicode/utf8"

	"pillion.dev/pillion/internal/yaml/lex"
)

// What a byte of a text means for the whole text.
const (
	isForbidden = 1 << iota
	isTab
	isReturn
	isWide
)

// meanings are those of all bytes. A table has no branches, which is fastest for a loop over all of the text.
var meanings = func() (table [256]byte) {
	for c := range table {
		switch {
		case c == '\t':
			table[c] = isTab
		case c == '\r':
			table[c] = isReturn
		case c >= utf8.RuneSelf:
			table[c] = isWide
		case c < ' ' && c != '\n' || c == 0x7f:
			table[c] = isForbidden
		}
	}
	return table
}()

// survey looks for the characters that decide how the text is read, so that the rest of the reader need not. It returns false if
// the text has characters that YAML forbids, or line breaks that most programs do not recognise.
func (r *reader) survey(text []byte) bool {
	var found byte
	for _, c := range text {
		found |= meanings[c]
	}
	r.tabs, r.wide = found&isTab != 0, found&isWide != 0
	switch {
	case found&isForbidden != 0, found&isReturn != 0 && lex.HasLoneReturn(text):
		return false
	}
	return !r.wide || hasOrdinaryRunes(r.text)
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
