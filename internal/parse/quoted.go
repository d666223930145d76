package parse

import (
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// singleQuoted reads the scalar whose opening quote is at the cursor, if it ends on the line.
func (r *reader) singleQuoted() *yaml.Node {
	start := r.at
	doubled := false
	for end := start + 1; end < len(r.text); end++ {
		switch r.text[end] {
		case '\n', '\r':
			return nil
		case '\'':
			if r.peek(end+1) == '\'' {
				doubled = true
				end++
				continue
			}
			value := r.text[start+1 : end]
			if doubled {
				value = strings.ReplaceAll(value, "''", "'")
			}
			return r.quoted(value, yaml.SingleQuotedStyle, end+1)
		}
	}
	return nil
}

// doubleQuoted reads the scalar whose opening quote is at the cursor, if it ends on the line.
func (r *reader) doubleQuoted() *yaml.Node {
	start := r.at
	escaped := false
	for end := start + 1; end < len(r.text); end++ {
		switch r.text[end] {
		case '\n', '\r':
			return nil
		case '\\':
			escaped = true
			end++ // what is escaped is looked at below; a line break there is no escape
		case '"':
			value := r.text[start+1 : end]
			if escaped {
				var known bool
				if value, known = r.unescape(value); !known {
					return nil
				}
			}
			return r.quoted(value, yaml.DoubleQuotedStyle, end+1)
		}
	}
	return nil
}

func (r *reader) quoted(value string, style yaml.Style, end int) *yaml.Node {
	n := r.node(yaml.ScalarNode, "!!str", r.at)
	n.Value, n.Style = value, style
	r.at = end
	return n
}

// unescape replaces the escapes of a double quoted scalar. It says no to those that the
// library does not know.
func (r *reader) unescape(raw string) (value string, known bool) {
	r.built = r.built[:0]
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' {
			r.built = append(r.built, raw[i])
			continue
		}
		i++
		if digits := hexDigits(raw[i]); digits > 0 {
			c, valid := hexRune(raw[i+1:], digits)
			if !valid {
				return "", false
			}
			r.built = utf8.AppendRune(r.built, c)
			i += digits
			continue
		}
		meant := escape(raw[i])
		if meant == "" {
			return "", false
		}
		r.built = append(r.built, meant...)
	}
	return string(r.built), true
}

// escape is what a backslash and a letter stand for, or nothing.
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

// hexDigits is how many digits follow an escape that gives a character by its number.
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

// hexRune is the character whose number the digits give.
func hexRune(text string, digits int) (value rune, valid bool) {
	if len(text) < digits {
		return 0, false
	}
	var number uint32
	for i := 0; i < digits; i++ {
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
