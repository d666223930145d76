// Package jsontext writes reports as JSON that is safe to print.
package jsontext

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf16"
	"unicode/utf8"

	"pillion.dev/pillion/internal/escape"
)

// Write writes a value as JSON and escapes characters that a terminal would act on instead of showing them.
func Write(w io.Writer, value any) error {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false) // a report is not part of a page, and people search it for "image a -> b"
	if err := enc.Encode(value); err != nil {
		return err
	}
	_, err := w.Write(escaped(text.Bytes()))
	return err
}

// escaped escapes unprintable characters in a JSON text. Except for line breaks, they are always inside strings.
func escaped(text []byte) []byte {
	hidden := func(r rune) bool { return r != '\n' && escape.IsHidden(r) }
	if !bytes.ContainsFunc(text, hidden) {
		return text
	}
	out := make([]byte, 0, len(text)+len(text)/8)
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		switch {
		case !hidden(r):
			out = append(out, text[:size]...)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
		text = text[size:]
	}
	return out
}
