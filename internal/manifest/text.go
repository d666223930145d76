package manifest

import (
	"bytes"
	"errors"
	"unicode/utf8"

	"pillion.dev/pillion/internal/yaml/lex"
)

// checkUTF8 refuses what is not UTF-8.
func checkUTF8(text []byte) error {
	if bytes.HasPrefix(text, []byte{0xFE, 0xFF}) || bytes.HasPrefix(text, []byte{0xFF, 0xFE}) {
		return errors.New("the input is UTF-16; save it as UTF-8")
	}
	if utf8.Valid(text) {
		return nil
	}
	if bytes.IndexByte(text, 0) >= 0 {
		return errors.New("this is a binary file; expected YAML or JSON")
	}
	at := 0
	for at < len(text) {
		r, size := utf8.DecodeRune(text[at:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		at += size
	}
	return errorAt(lineAt(text, at), "the input is not UTF-8: byte 0x%02x at offset %d; save it as UTF-8", text[at], at)
}

// ErrAmbiguous is the reason why Read refuses a text that kubectl, which splits a stream before it parses the documents, divides into
// other lines or documents than a parser of YAML. An object could be hidden there.
var ErrAmbiguous = errors.New("so that kubectl may find other objects than other readers")

// checkLines refuses what ends a line or a document for some readers only.
func checkLines(text []byte) error {
	if lex.HasLoneReturn(text) {
		at := 0
		for !lex.HasLoneReturn(text[at:lex.NextLine(text, at)]) {
			at = lex.NextLine(text, at)
		}
		return errorAt(lineAt(text, at), "this line has a carriage return in it, %w; end lines with a line feed, or write \\r in double quotes",
			ErrAmbiguous)
	}
	text = bytes.TrimPrefix(text, []byte(lex.ByteOrderMark))
	if at := lineWith(text, lex.ByteOrderMark); at >= 0 {
		return errorAt(lineAt(text, at), "this line begins with a byte order mark, which is invisible, %w; remove it", ErrAmbiguous)
	}
	if at := lineWith(text, "---"); at >= 0 {
		return errorAt(lineAt(text, at), "this line begins with --- and goes on without a space, %w; "+
			"write a space behind the dashes, or indent the line", ErrAmbiguous)
	}
	return nil
}

// lineWith returns the offset of a line that has this beginning and is no document marker, or -1.
func lineWith(text []byte, beginning string) int {
	for at := 0; ; at += len(beginning) {
		next := bytes.Index(text[at:], []byte(beginning))
		if next < 0 {
			return -1
		}
		at += next
		if (at == 0 || text[at-1] == '\n') && !lex.IsMarkerAt(text, at) {
			return at
		}
	}
}
