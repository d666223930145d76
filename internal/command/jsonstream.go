package command

import (
	"bytes"
	"encoding/json"
	"strconv"
	"unicode/utf16"
)

// isJSON tells whether a text is an object in JSON.
func isJSON(text []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(text, " \t\r\n"), []byte("{")) && json.Valid(text)
}

// jsonInStream is an object in JSON as a document among others, which kubectl reads as YAML: that has no escapes for the
// two halves of a character, so those characters are written as they are.
func jsonInStream(text []byte) []byte {
	if !bytes.Contains(text, []byte(`\u`)) {
		return text
	}
	made := make([]byte, 0, len(text))
	for len(text) > 0 {
		if character := utf16.DecodeRune(escaped(text), escaped(text[min(6, len(text)):])); character != '\ufffd' {
			made, text = append(made, string(character)...), text[12:]
			continue
		}
		size := 1
		if text[0] == '\\' {
			size = 2 // a backslash and what it escapes stay together
		}
		made, text = append(made, text[:size]...), text[size:]
	}
	return made
}

// escaped is the character that a text begins with as an escape of four digits, or 0.
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
