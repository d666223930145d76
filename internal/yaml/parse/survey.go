package parse

import (
	"encoding/binary"
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

// meanings are those of all bytes.
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
	found := meaning(text)
	r.tabs, r.wide = found&isTab != 0, found&isWide != 0
	switch {
	case found&isForbidden != 0, found&isReturn != 0 && lex.HasLoneReturn(text):
		return false
	}
	return !r.wide || hasOrdinaryRunes(r.text)
}

// meaning returns what all bytes of a text mean. Nearly all of them mean nothing, so it looks at eight of them at once.
func meaning(text []byte) (found byte) {
	for ; len(text) >= 8; text = text[8:] {
		if !meanNothing(binary.LittleEndian.Uint64(text)) {
			found |= meaningOfEach(text[:8])
		}
	}
	return found | meaningOfEach(text)
}

func meaningOfEach(text []byte) (found byte) {
	for _, c := range text {
		found |= meanings[c]
	}
	return found
}

// meanNothing reports whether eight bytes are printable ASCII characters and line feeds. Without their highest bits, none of the
// sums carries over to the next byte, and the highest bits of the sums are the results.
func meanNothing(eight uint64) bool {
	const each, highest = 0x0101010101010101, 0x80 * 0x0101010101010101
	low := eight &^ highest
	notControl := low + (0x80-' ')*each
	notLineFeed := (low ^ '\n'*each) + 0x7f*each
	isDelete := low + each
	return (eight|^notControl&notLineFeed|isDelete)&highest == 0
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
