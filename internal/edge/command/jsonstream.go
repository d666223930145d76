package command

import (
	"bytes"
	"encoding/json"
	"strconv"
	"unicode/utf16"
)

// isJSON reports whether a text is a JSON object.
func isJSON(text []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(text, " \t\r\n"), []byte("{")) && json.Valid(text)
}

// jsonInStream converts a JSON object to a document of a YAML stream. YAML has no escapes for surrogate pairs, so their
// characters are written directly.
func jsonInStream(text []byte) []byte {
	if !bytes.Contains(text, []byte(`\u`)) {
		return text
	}
	out := make([]byte, 0, len(text))
	for len(text) > 0 {
		if character := utf16.DecodeRune(escaped(text), escaped(text[min(6, len(text)):])); character != '\ufffd' {
			out, text = append(out, string(character)...), text[12:]
			continue
		}
		size := 1
		if text[0] == '\\' {
			size = 2 // a backslash and the character that it escapes
		}
		out, text = append(out, text[:size]...), text[size:]
	}
	return out
}

// escaped returns the character of the \uXXXX escape at the beginning of a text, or 0.
func escaped(text []byte) rune {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0
	}
	code, err := strconv.ParseUint(string(text[2:6]), 16, 16)
	if err != nil {
		return 0
	}
	return rune(code)
}
