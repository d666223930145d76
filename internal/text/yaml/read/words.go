package read

import (
	"math/bits"
	"strings"
	"unicode/utf8"
	"unsafe"

	"pillion.dev/pillion/internal/text/yaml/lex"
)

// One bit in each of eight bytes: the lowest, and the highest.
const (
	lowest  = 0x0101010101010101
	highest = 0x80 * lowest
)

// eight returns eight bytes of the text, the first one as the lowest.
func eight(text string, at int) uint64 {
	b := text[at : at+8]
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}

// The functions below compare eight bytes at once. A byte is zero, or below 0x20, if subtracting from it borrows; the
// borrow may also mark bytes behind it, so only the first mark counts.

// wordEnd returns the offset of the next control character, colon or hash, or the end of the text: whatever may end a
// plain scalar.
func wordEnd(text string, at int) int { return nextOf(text, at, ':', '#') }

// quoteEnd returns the offset of the next control character, backslash or quote of the given kind, or the end of the
// text.
func quoteEnd(text string, at int, quote byte) int { return nextOf(text, at, quote, '\\') }

// nextOf returns the offset of the next control character or one of two others, or the end of the text.
func nextOf(text string, at int, one, other byte) int {
	ones, others := uint64(one)*lowest, uint64(other)*lowest
	for ; at+8 <= len(text); at += 8 {
		w := eight(text, at)
		x, y := w^ones, w^others
		if found := ((x-lowest)&^x | (y-lowest)&^y | (w-0x20*lowest)&^w) & highest; found != 0 {
			return at + bits.TrailingZeros64(found)>>3
		}
	}
	for at < len(text) && text[at] >= ' ' && text[at] != one && text[at] != other {
		at++
	}
	return at
}

// lineEnd returns the offset of the line break that ends the line of the offset, or the end of the text.
func lineEnd(text string, at int) int {
	return lex.LineEnd(unsafe.Slice(unsafe.StringData(text), len(text)), at) // without a copy
}

// isOrdinary reports whether a text is UTF-8 without the characters that YAML forbids or treats as more than text:
// control characters are not allowed, a carriage return alone, NEL, LS and PS end lines, and a byte order mark
// vanishes.
func isOrdinary(text string) bool {
	if returns := strings.Count(text, "\r"); returns > 0 && returns != strings.Count(text, "\r\n") {
		return false
	}
	controls, at := 0, 0
	for ; at+16 <= len(text); at += 16 {
		a, b := eight(text, at), eight(text, at+8)
		if (a|b|(a+lowest)|(b+lowest))&highest != 0 { // the highest bit is set in wide characters, and in DEL if one is added
			break
		}
		controls += bits.OnesCount64(below32(a) | below32(b)>>1)
	}
	checked := text[:at]
	if controls -= strings.Count(checked, "\n"); controls > 0 && controls != strings.Count(checked, "\t")+strings.Count(checked, "\r") {
		return false
	}
	return strings.IndexFunc(text[at:], isUnusual) < 0
}

// below32 sets the highest bit of each of eight bytes, all below 0x80, that is a control character.
func below32(w uint64) uint64 { return ^((w | highest) - 0x20*lowest) & highest }

// isUnusual reports whether a character, or U+FFFD for a byte that is not UTF-8, may be read differently from others.
func isUnusual(c rune) bool {
	return c != '\n' && c != '\t' && c != '\r' && (!lex.IsPrintable(c) || c == utf8.RuneError)
}
