package parse

import (
	"strconv"
	"unicode/utf8"
)

// escapes holds the text of each escape by the letter behind the backslash.
var escapes = [256]string{
	'0': "\x00", 'a': "\a", 'b': "\b", 't': "\t", '\t': "\t", 'n': "\n", 'v': "\v", 'f': "\f", 'r': "\r", 'e': "\x1b",
	' ': " ", '"': `"`, '\'': "'", '\\': `\`, 'N': "\u0085", '_': "\u00a0", 'L': "\u2028", 'P': "\u2029",
}

// hexDigits holds how many digits follow the letter of an escape that gives a character by its number.
var hexDigits = [256]int{'x': 2, 'u': 4, 'U': 8}

// hexRune returns the character with the number that the text begins with.
func hexRune(text string, digits int) (value rune, valid bool) {
	if len(text) < digits {
		return 0, false
	}
	number, err := strconv.ParseUint(text[:digits], 16, 32)
	return rune(number), err == nil && number <= utf8.MaxRune && utf8.ValidRune(rune(number))
}
