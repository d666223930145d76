package files

import (
	"strings"
	"unicode/utf8"
)

// namedClasses are the ranges of the classes that have a name, such as [:digit:], as pairs of first and last
// characters.
var namedClasses = map[string]string{
	"alnum": "09AZaz", "alpha": "AZaz", "blank": "\t\t  ", "cntrl": "\x00\x1f\x7f\x7f", "digit": "09", "graph": "!~", "lower": "az",
	"print": " ~", "punct": "!/:@[`{~", "space": "\t\n\r\r  ", "upper": "AZ", "xdigit": "09AFaf",
}

// badClass makes the whole pattern invalid, so that it matches nothing.
const badClass = "["

// convertClass converts the class at the beginning of a pattern of git to the syntax of doublestar, and returns its end in the
// pattern. No class matches a slash.
func convertClass(pattern string) (class string, end int) {
	ranges, isNegated, end := readClass(pattern)
	var b strings.Builder
	b.WriteByte('[')
	if isNegated {
		b.WriteString(`^\/`)
	}
	for _, r := range ranges {
		if isNegated {
			r.write(&b)
			continue
		}
		for _, part := range r.withoutSlash() {
			part.write(&b)
		}
	}
	if end < 0 || b.Len() == len(badClass) {
		return badClass, len(pattern)
	}
	b.WriteByte(']')
	return b.String(), end
}

// charRange is the characters from the first to the last.
type charRange struct{ first, last rune }

func (r charRange) withoutSlash() []charRange {
	if r.first > '/' || r.last < '/' {
		return []charRange{r}
	}
	return []charRange{{r.first, '/' - 1}, {'/' + 1, r.last}}
}

func (r charRange) write(b *strings.Builder) {
	if r.first > r.last {
		return
	}
	b.WriteString(`\` + string(r.first) + `-\` + string(r.last))
}

// readClass reads the class at the beginning of a pattern as git does: a "]" at the beginning and a "-" at either end are
// characters. The end is -1 if the class has none, or an unknown name.
func readClass(pattern string) (ranges []charRange, isNegated bool, end int) {
	at := 1
	if strings.HasPrefix(pattern[at:], "!") || strings.HasPrefix(pattern[at:], "^") {
		isNegated = true
		at++
	}
	canBegin := false // whether the last character may be the first of a range
	for start := at; at < len(pattern); {
		rest := pattern[at:]
		switch {
		case rest[0] == ']' && at > start:
			return ranges, isNegated, at + 1
		case rest[0] == '-' && canBegin && len(rest) > 1 && rest[1] != ']':
			last, size := readChar(rest[1:])
			ranges[len(ranges)-1].last = last
			at += 1 + size
			canBegin = false
		case strings.HasPrefix(rest, "[:"):
			name, size := readClassName(rest)
			if size == 0 {
				ranges, canBegin = append(ranges, charRange{'[', '['}), true
				at++
				continue
			}
			pairs, isKnown := namedClasses[name]
			if !isKnown {
				return nil, false, -1
			}
			for ; pairs != ""; pairs = pairs[2:] {
				ranges = append(ranges, charRange{rune(pairs[0]), rune(pairs[1])})
			}
			at += size
			canBegin = false
		default:
			char, size := readChar(rest)
			ranges, canBegin = append(ranges, charRange{char, char}), true
			at += size
		}
	}
	return nil, false, -1
}

// readClassName reads [:name:], and returns its length, or 0 if it is something else.
func readClassName(text string) (name string, size int) {
	name, _, isClosed := strings.Cut(text[len("[:"):], "]")
	size = len("[:") + len(name) + len("]")
	name, isName := strings.CutSuffix(name, ":")
	if !isClosed || !isName {
		return "", 0
	}
	return name, size
}

// readChar reads a character that may be escaped, and returns its length.
func readChar(text string) (char rune, size int) {
	escape := 0
	if text[0] == '\\' {
		escape = 1
	}
	char, size = utf8.DecodeRuneInString(text[escape:])
	return char, escape + size
}
