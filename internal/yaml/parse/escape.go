package parse

import (
	"strconv"
	"unicode/utf8"
)

// escapes are the texts that a backslash and a letter stand for.
var escapes = [256]string{
	'0': "\x00", 'a': "\a", 'b': "\b", 't': "\t", '\t': "\t", 'n': "\n", 'v': "\v", 'f': "\f", 'r': "\r", 'e': "\x1b",
	' ': " ", '"': `"`, '\'': "'", '\\': `\`, 'N': "\u0085", '_': "\u00a0", 'L': "\u2028", 'P': "\u2029",
}

// hexDigits returns how many digits follow the letter of an escape, if that is a character by its number.
func hexDigits(c byte) int {
	switch c {
	case 'x':
		return 2
	case 'u':
		return 4
	case 'U':
		return 8
	}
	return 0
}

// hexRune returns the character with the number that the text begins with.
func hexRune(text string, digits int) (value rune, valid bool) {
	if len(text) < digits {
		return 0, false
	}
	number, err := strconv.ParseUint(text[:digits], 16, 32)
	return rune(number), err == nil && number <= utf8.MaxRune && utf8.ValidRune(rune(number))
}
