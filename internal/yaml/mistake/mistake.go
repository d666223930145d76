// Package mistake finds what is wrong with a text that is not YAML, and explains it in plain words.
//
// The YAML library reports where it gave up, often many lines behind the mistake, without a column and in the terms of its
// scanner. This package looks for the mistakes that people make: indentation, tabs, quotes, brackets, colons and dashes.
package mistake

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"pillion.dev/pillion/internal/yaml/lex"
	"pillion.dev/pillion/internal/yaml/parse"
)

// Mistake is a mistake in a text.
type Mistake struct {
	// Line and Column are its position, from 1.
	Line, Column int
	// Message contains the problem, and the remedy if one is known.
	Message string
}

// Find returns the mistake that made parse.Document return an error. It returns the library's own message for a mistake that it does
// not recognise.
func Find(text []byte, err error) Mistake {
	found := findControl(text)
	if found == nil {
		found = newScanner(text).document()
	}
	result := Mistake{}
	if found == nil {
		result.Line, result.Column, result.Message = parse.Where(text, err)
	} else {
		result.Line, result.Column = position(text, found.at)
		result.Message = found.message
	}
	if column := templateColumn(text, result.Line); column > 0 {
		return Mistake{result.Line, column, templateAction}
	}
	return result
}

const templateAction = "{{ begins a template action, which is not YAML; render the template first, such as by helm template"

// templateColumn returns the column of the first template action on a line, or 0 if there is none outside of quotes.
func templateColumn(text []byte, line int) int {
	for range line - 1 {
		_, text, _ = bytes.Cut(text, []byte("\n"))
	}
	text, _, _ = bytes.Cut(text, []byte("\n"))
	before, _, found := bytes.Cut(text, []byte("{{"))
	if !found || bytes.ContainsAny(before, `"'#`) {
		return 0
	}
	return 1 + utf8.RuneCount(before)
}

// position returns the line and the column of an offset, from 1.
func position(text []byte, at int) (line, column int) {
	start := bytes.LastIndexByte(text[:at], '\n') + 1
	before := bytes.TrimPrefix(text[start:at], []byte(lex.ByteOrderMark))
	return 1 + bytes.Count(text[:at], []byte{'\n'}), 1 + utf8.RuneCount(before)
}

// fault is a mistake at an offset.
type fault struct {
	at      int
	message string
}

func faultf(at int, format string, args ...any) *fault {
	return &fault{at, fmt.Sprintf(format, args...)}
}

// findControl returns the first control character. YAML allows none, not even in quotes.
func findControl(text []byte) *fault {
	for at, r := range string(text) {
		if r < ' ' && !strings.ContainsRune("\t\n\r", r) || r == 0x7F {
			return faultf(at, "the control character U+%04X is not allowed; remove it", r)
		}
	}
	return nil
}

// maxShown bounds what messages show of a text, in bytes.
const maxShown = 40

// brief returns the text, or its beginning if it is long.
func brief(text []byte) string {
	text = bytes.TrimSpace(text)
	if len(text) <= maxShown {
		return string(text)
	}
	return strings.ToValidUTF8(string(text[:maxShown]), "") + "..."
}
