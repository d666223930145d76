package files

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// maxIgnoreLine bounds a line of an ignore file to the length of a path. The library stops without an error at a line that is
// much longer.
const maxIgnoreLine = 4 << 10

// convertIgnoreFile returns an ignore file in the form that the library reads: without a byte order mark, without empty
// patterns, which make it panic, and with git's escapes and classes in the syntax of filepath.Match.
func convertIgnoreFile(text []byte) ([]byte, error) {
	var out bytes.Buffer
	for line := range strings.Lines(strings.TrimPrefix(string(text), "\uFEFF")) {
		line = trimLine(line)
		if len(line) > maxIgnoreLine {
			return nil, fmt.Errorf("it has a line of more than %d KiB", maxIgnoreLine>>10)
		}
		if strings.HasPrefix(line, "#") {
			continue
		}
		pattern, negated := strings.CutPrefix(line, "!")
		if pattern = convertPattern(pattern); strings.Trim(pattern, "/") == "" {
			continue
		}
		if negated {
			pattern = "!" + pattern
		}
		out.WriteString(pattern + "\n")
	}
	return out.Bytes(), nil
}

// trimLine removes the line break, and the spaces at the end except an escaped one.
func trimLine(line string) string {
	line = strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
	trimmed := strings.TrimRight(line, " ")
	if escapes := len(trimmed) - len(strings.TrimRight(trimmed, `\`)); escapes%2 == 1 && trimmed != line {
		return trimmed + " "
	}
	return trimmed
}

// convertPattern returns a pattern of git in the syntax of filepath.Match. An escaped character becomes a class, because the
// library supports no escapes in a pattern without wildcards. So do the characters that it trims: a leading space, and a
// carriage return.
func convertPattern(pattern string) string {
	var b strings.Builder
	for i := 0; i < len(pattern); {
		switch c := pattern[i]; {
		case c == '[':
			class, end := convertClass(pattern[i:])
			b.WriteString(class)
			i += end
		case c == '\\' && i+1 < len(pattern):
			_, size := utf8.DecodeRuneInString(pattern[i+1:])
			b.WriteString(literal(pattern[i+1 : i+1+size]))
			i += 1 + size
		case c == ' ' && i == 0, c == '\r':
			b.WriteString(literal(pattern[i : i+1]))
			i++
		default:
			b.WriteByte(c)
			i++
		}
	}
	return b.String()
}

// literal returns a pattern that matches one character.
func literal(char string) string {
	switch char {
	case "/":
		return char
	case `\`, "]", "^", "-":
		return `[\` + char + `]`
	}
	return "[" + char + "]"
}

// convertClass converts the class at the beginning of a pattern, and returns its end in the pattern. Git also negates with "!",
// and takes a leading "]", and a "-" at either end, literally.
func convertClass(pattern string) (class string, end int) {
	out, first := []byte("["), 1
	if strings.HasPrefix(pattern[1:], "!") || strings.HasPrefix(pattern[1:], "^") {
		out, first = []byte("[^"), 2
	}
	for end = first; end < len(pattern); end++ {
		switch c := pattern[end]; {
		case c == ']' && end > first:
			return string(append(out, ']')), end + 1
		case c == ']', c == '-' && (end == first || strings.HasPrefix(pattern[end:], "-]")):
			out = append(out, '\\', c)
		case c == '\\' && end+1 < len(pattern):
			out = append(out, c, pattern[end+1])
			end++
		default:
			out = append(out, c)
		}
	}
	return string(out), end
}
