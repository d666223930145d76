package page

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"pillion.dev/pillion/internal/text/escape"
)

// indentation is that of one level of JSON.
const indentation = "  "

// printer prints JSON with indentation, as Go and kubectl do.
type printer struct {
	out *bufio.Writer // keeps its own error
	err error         // of a value that is no JSON
}

// writeObject makes and prints one member after another.
func (p *printer) writeObject(o Object) {
	p.print("{")
	separator := ""
	for name, value := range o.members() {
		p.print(separator)
		p.breakLine(1)
		p.print(strconv.Quote(name) + ": ")
		if entries, isStream := value.(Entries); isStream {
			p.writeEntries(entries)
		} else {
			p.writeValue(value, 1)
		}
		separator = ","
	}
	p.breakLine(0)
	p.print("}")
}

// writeEntries makes and prints one entry of a member after another.
func (p *printer) writeEntries(entries Entries) {
	p.print("[")
	separator := ""
	for entry := range entries {
		p.print(separator)
		p.breakLine(2)
		p.writeValue(entry, 2)
		separator = ","
	}
	if separator != "" {
		p.breakLine(1)
	}
	p.print("]")
}

// writeValue makes and prints a value.
func (p *printer) writeValue(value any, depth int) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // a report is not part of a page, and people search it for "image a -> b"
	enc.SetIndent(strings.Repeat(indentation, depth), indentation)
	if err := enc.Encode(value); err != nil {
		p.err = err
		return
	}
	p.out.Write(escapeHidden(bytes.TrimRight(b.Bytes(), "\n"))) //nolint:errcheck // Flush returns the error
}

// escapeHidden escapes characters that a terminal would act on, and what begins a command in the log of a CI system. In
// JSON, these are always inside strings, except line breaks, which never are.
func escapeHidden(text []byte) []byte {
	text = bytes.ReplaceAll(text, []byte("##"), []byte(`\u0023\u0023`))
	isHidden := func(r rune) bool { return r != '\n' && escape.IsHidden(r) }
	if !bytes.ContainsFunc(text, isHidden) {
		return text
	}
	var out []byte
	for _, r := range string(text) {
		if !isHidden(r) {
			out = utf8.AppendRune(out, r)
			continue
		}
		for _, unit := range utf16.AppendRune(nil, r) {
			out = fmt.Appendf(out, `\u%04x`, unit)
		}
	}
	return out
}

func (p *printer) print(text string) {
	p.out.WriteString(text) //nolint:errcheck // Flush returns the error
}

func (p *printer) breakLine(depth int) {
	p.print("\n" + strings.Repeat(indentation, depth))
}
