package read

import (
	"math/bits"
	"strings"
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

// The functions below compare eight bytes at once. A byte is zero, or below 0x20, if subtracting from it borrows; the borrow may
// also mark bytes behind it, so only the first mark counts.

// wordEnd returns the offset of the next control character, colon or hash, or the end of the text: whatever may end a plain scalar.
func wordEnd(text string, at int) int { return nextOf(text, at, ':', '#') }

// quoteEnd returns the offset of the next control character, backslash or quote of the given kind, or the end of the text.
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

// lineEnd returns the offset of the next control character except tabs, or the end of the text.
func lineEnd(text string, at int) int {
	for {
		for ; at+8 <= len(text); at += 8 {
			w := eight(text, at)
			if found := (w - 0x20*lowest) &^ w & highest; found != 0 {
				at += bits.TrailingZeros64(found) >> 3
				break
			}
		}
		for at < len(text) && text[at] >= ' ' {
			at++
		}
		if at == len(text) || text[at] != '\t' {
			return at
		}
		at++
	}
}

// skipSpaces returns the offset behind the spaces at the offset. Tabs do not count.
func skipSpaces(text string, at int) int {
	for ; at+8 <= len(text); at += 8 {
		if others := eight(text, at) ^ ' '*lowest; others != 0 {
			return at + bits.TrailingZeros64(others)>>3
		}
	}
	for at < len(text) && text[at] == ' ' {
		at++
	}
	return at
}

// isOrdinary reports whether a text is UTF-8 without the characters that YAML forbids or treats as more than text, apart from the
// control characters that the reader finds itself: NEL, LS and PS end lines, and a byte order mark vanishes.
func isOrdinary(text string) bool {
	at := 0
	for ; at+16 <= len(text); at += 16 { // the highest bit is set in wide characters, and in DEL if one is added
		a, b := eight(text, at), eight(text, at+8)
		if (a|b|(a+lowest)|(b+lowest))&highest != 0 {
			break
		}
	}
	return strings.IndexFunc(text[at:], isUnusual) < 0
}

// isUnusual reports whether a character, or U+FFFD for a byte that is not UTF-8, may be read differently from others. It is not needed
// for control characters of one byte, except DEL.
func isUnusual(c rune) bool {
	return c >= 0x7f && (c <= 0x9f || c == 0x2028 || c == 0x2029 || c == 0xfeff || c >= 0xfffd && c <= 0xffff)
}
