// Package lex finds the tokens of YAML: blanks, line breaks, comments, quotes, plain and block scalars, anchors, tags
// and document markers.
//
// Most functions take a text and an offset, and return the offset behind the token that begins there. They allocate
// nothing. The caller decides which token to look for at an offset: lex has no state and no grammar.
package lex

// Text is a text as bytes or as a string.
type Text interface{ ~string | ~[]byte }

// ByteOrderMark is the mark that a text may begin with. It is not part of the first line.
const ByteOrderMark = "\ufeff"

// IsBlank reports whether a byte is a space or a tab.
func IsBlank(c byte) bool { return c == ' ' || c == '\t' }

// IsBreak reports whether a byte is a line feed or a carriage return.
func IsBreak(c byte) bool { return c == '\n' || c == '\r' }

// IsLetter reports whether a byte is an ASCII letter.
func IsLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// IsIndicator reports whether a byte has a meaning of its own at the start of a node. Nevertheless, a dash, a question
// mark or a colon begins a plain scalar if no space follows it.
func IsIndicator(c byte) bool { return isIndicator[c] }

// isIndicator and isFlowIndicator are tables because they are looked up for every scalar.
var (
	isIndicator     = SetOf("-?:,[]{}#&*!|>'\"%@`")
	isFlowIndicator = SetOf(",[]{}")
	isInName        = SetOf("0123456789_-ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
)

// Set is a set of bytes, as a table.
type Set [256]bool

// SetOf returns the set of the bytes in a string.
func SetOf(members string) (set Set) {
	for i := range len(members) {
		set[members[i]] = true
	}
	return set
}

// HasAll reports whether all bytes of a text are in the set.
func (s *Set) HasAll(text string) bool {
	for i := range len(text) {
		if !s[text[i]] {
			return false
		}
	}
	return true
}

// IsFlowIndicator reports whether a byte opens, closes or divides a collection in brackets.
func IsFlowIndicator(c byte) bool { return isFlowIndicator[c] }

// IsPrintable reports whether a scalar may contain a character without an escape. YAML forbids control characters and byte order
// marks, and reads some characters as line breaks.
func IsPrintable(r rune) bool {
	switch {
	case r < 0x20, r >= 0x7F && r <= 0x9F, r == 0x2028, r == 0x2029, r == 0xFEFF, r == 0xFFFE, r == 0xFFFF:
		return false
	}
	return true
}

// IsSpaceAt reports whether a blank, a line break or the end of the text is at the offset.
func IsSpaceAt[T Text](text T, at int) bool {
	return at >= len(text) || isSpace[text[at]]
}

// isSpace is a table so that IsSpaceAt is inlined.
var isSpace = SetOf(" \t\n\r")

// RestIsBlank reports whether only blanks or a comment follow on the line. The offset is at the start of the line's content, or
// behind a token.
func RestIsBlank[T Text](text T, at int) bool {
	at = SkipBlanks(text, at)
	return at == len(text) || IsBreak(text[at]) || text[at] == '#'
}

// IsCommentAt reports whether a comment begins at the offset, which is not inside of a scalar in quotes.
func IsCommentAt[T Text](text T, at int) bool {
	return at < len(text) && text[at] == '#' && (at == 0 || isSpace[text[at-1]])
}

// IsMarkerAt reports whether a document marker, "---" or "...", is at the offset, which begins a line.
func IsMarkerAt[T Text](text T, at int) bool {
	if at+3 > len(text) || text[at] != '-' && text[at] != '.' {
		return false
	}
	return text[at+1] == text[at] && text[at+2] == text[at] && IsSpaceAt(text, at+3)
}

// SkipBlanks returns the offset behind the blanks at the offset.
func SkipBlanks[T Text](text T, at int) int {
	for at < len(text) && IsBlank(text[at]) {
		at++
	}
	return at
}

// SkipSpaces returns the offset behind the spaces at the offset. Tabs do not count.
func SkipSpaces[T Text](text T, at int) int {
	for at < len(text) && text[at] == ' ' {
		at++
	}
	return at
}

// SkipSpace returns the offset behind the blanks, line breaks and comments at the offset.
func SkipSpace(text []byte, at int) int {
	for at < len(text) {
		switch {
		case isSpace[text[at]]:
			at++
		case text[at] == '#': // behind quotes and brackets, a comment needs no blank before it
			at = LineEnd(text, at)
		default:
			return at
		}
	}
	return at
}

// NameEnd returns the offset behind the name of an anchor or an alias.
func NameEnd[T Text](text T, at int) int {
	for at < len(text) && isInName[text[at]] {
		at++
	}
	return at
}

// WordEnd returns the offset of the space that ends the word at the offset, such as a tag. In brackets, an indicator ends it too.
func WordEnd[T Text](text T, at int, flow bool) int {
	for !IsSpaceAt(text, at) && (!flow || !IsFlowIndicator(text[at])) {
		at++
	}
	return at
}
