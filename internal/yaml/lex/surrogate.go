package lex

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// HasLoneSurrogate reports whether a JSON text has half of a surrogate pair, such as "\ud83d" alone. It is not a character, and
// encoding/json reads it as U+FFFD, so that it would be lost where the text is written again.
func HasLoneSurrogate(text string) bool {
	for {
		at := strings.IndexByte(text, '\\')
		if at < 0 || at+1 >= len(text) {
			return false
		}
		text = text[at:]
		unit := escapedUnit(text)
		switch {
		case !utf16.IsSurrogate(unit):
			text = text[2:]
		case utf16.DecodeRune(unit, escapedUnit(text[6:])) == utf8.RuneError:
			return true
		default:
			text = text[12:]
		}
	}
}

// escapedUnit returns the code unit of the \uXXXX that a text begins with, or 0.
func escapedUnit(text string) rune {
	const size = len(`\u0000`)
	if len(text) < size || text[:2] != `\u` {
		return 0
	}
	unit, err := strconv.ParseUint(text[2:size], 16, 16)
	if err != nil {
		return 0
	}
	return rune(unit)
}
