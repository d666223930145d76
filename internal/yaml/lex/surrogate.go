package lex

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// HasLoneSurrogate reports whether a JSON text has half of a surrogate pair, such as "\ud83d" alone. It is not a character, and
// encoding/json reads it as U+FFFD, so that it would be lost when the text is written again.
func HasLoneSurrogate(text string) bool {
	for at := strings.IndexByte(text, '\\'); at >= 0 && at+1 < len(text); at = strings.IndexByte(text, '\\') {
		text = text[at:]
		value, size := EscapedRune(text)
		if value == utf8.RuneError && utf16.IsSurrogate(escapedUnit(text)) {
			return true
		}
		text = text[max(size, 2):]
	}
	return false
}

// EscapedRune returns the character of the \uXXXX, or of the surrogate pair of two, that a text begins with, and its size in the
// text. Half of a surrogate pair is read as U+FFFD. The size is 0 if the text begins with something else.
func EscapedRune(text string) (value rune, size int) {
	unit := escapedUnit(text)
	switch {
	case unit < 0:
		return 0, 0
	case !utf16.IsSurrogate(unit):
		return unit, escapeSize
	}
	if value = utf16.DecodeRune(unit, escapedUnit(text[escapeSize:])); value == utf8.RuneError {
		return value, escapeSize
	}
	return value, 2 * escapeSize
}

const escapeSize = len(`\u0000`)

// escapedUnit returns the code unit of the \uXXXX that a text begins with, or -1.
func escapedUnit(text string) rune {
	if len(text) >= escapeSize && text[:2] == `\u` {
		if unit, err := strconv.ParseUint(text[2:escapeSize], 16, 16); err == nil {
			return rune(unit)
		}
	}
	return -1
}
