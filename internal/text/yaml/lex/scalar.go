package lex

import (
	"slices"
	"strings"
)

// endsPlain holds the bytes that may end a plain scalar, and endsPlainInFlow those that always do so in brackets.
var (
	endsPlain       = SetOf(":#\n\r")
	endsPlainInFlow = SetOf(",?[]{}")
)

// PlainEnd returns the offset of the token that ends the plain scalar at the offset on its line: the colon behind a
// key, a comment, a line break, or an indicator in brackets. The blanks before that token are not part of the scalar.
// Behind a line break, the scalar may continue.
func PlainEnd[T Text](text T, at int, flow bool) int {
	for ; at < len(text); at++ {
		c := text[at]
		isEnd := endsPlain[c] && (IsBreak(c) || c == ':' && IsSpaceAt(text, at+1) || IsCommentAt(text, at))
		if isEnd || flow && endsPlainInFlow[c] {
			break
		}
	}
	return at
}

// IsReserved reports whether some YAML parser reads a plain word as a boolean or null.
func IsReserved(word string) bool {
	const longest = len("false")
	return len(word) <= longest && slices.ContainsFunc(reserved, func(r string) bool { return strings.EqualFold(r, word) })
}

var reserved = []string{"y", "n", "yes", "no", "on", "off", "true", "false", "null"}

// BlockHeader is what follows the "|" or ">" of a block scalar.
type BlockHeader struct {
	// Chomping is '-' or '+', or 0 if it is not given.
	Chomping byte
	// Indent is how much deeper than its parent the scalar is, or 0 if it is not given.
	Indent int
	// End is the offset behind the header.
	End int
}

// ReadBlockHeader reads the header of the block scalar with its "|" or ">" at the offset.
func ReadBlockHeader[T Text](text T, at int) BlockHeader {
	h := BlockHeader{End: at + 1}
	for ; h.End < len(text); h.End++ {
		switch c := text[h.End]; {
		case (c == '+' || c == '-') && h.Chomping == 0:
			h.Chomping = c
		case c >= '1' && c <= '9' && h.Indent == 0:
			h.Indent = int(c - '0')
		default:
			return h
		}
	}
	return h
}
