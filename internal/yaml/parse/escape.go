package parse

import "unicode/utf8"

// escape returns the text that a backslash and a letter stand for, or nothing.
func escape(c byte) string {
	switch c {
	case '0':
		return "\x00"
	case 'a':
		return "\a"
	case 'b':
		return "\b"
	case 't', '\t':
		return "\t"
	case 'n':
		return "\n"
	case 'v':
		return "\v"
	case 'f':
		return "\f"
	case 'r':
		return "\r"
	case 'e':
		return "\x1b"
	case ' ':
		return " "
	case '"':
		return `"`
	case '\'':
		return "'"
	case '\\':
		return `\`
	case 'N':
		return "\u0085"
	case '_':
		return "\u00a0"
	case 'L':
		return "\u2028"
	case 'P':
		return "\u2029"
	}
	return ""
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
	var number uint32
	for i := range digits {
		var digit byte
		switch c := text[i]; {
		case c >= '0' && c <= '9':
			digit = c - '0'
		case c >= 'a' && c <= 'f':
			digit = c - 'a' + 10
		case c >= 'A' && c <= 'F':
			digit = c - 'A' + 10
		default:
			return 0, false
		}
		number = number<<4 | uint32(digit)
	}
	if number > utf8.MaxRune || !utf8.ValidRune(rune(number)) {
		return 0, false
	}
	return rune(number), true
}
