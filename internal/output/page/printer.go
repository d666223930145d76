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

// printer prints JSON with indentation. An object in a list is on one line if it holds neither objects nor lists, as
// most variables, ports and changes do.
type printer struct {
	out  *bufio.Writer // keeps its own error
	text []byte        // JSON without white space, from what is printed next on
	err  error         // of a value that is no JSON
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
			p.writeEntries(entries, 1)
		} else {
			p.writeValue(value, 1, false)
		}
		separator = ","
	}
	p.breakLine(0)
	p.print("}")
}

// writeEntries makes and prints one entry after another.
func (p *printer) writeEntries(entries Entries, depth int) {
	p.print("[")
	isEmpty := true
	for entry := range entries {
		if !isEmpty {
			p.print(",")
		}
		isEmpty = false
		p.breakLine(depth + 1)
		p.writeValue(entry, depth+1, true)
	}
	if !isEmpty {
		p.breakLine(depth)
	}
	p.print("]")
}

// writeValue makes and prints a value.
func (p *printer) writeValue(value any, depth int, isEntry bool) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // a report is not part of a page, and people search it for "image a -> b"
	if err := enc.Encode(value); err != nil {
		p.err = err
		return
	}
	p.text = escapeHidden(bytes.TrimRight(b.Bytes(), "\n"))
	p.indent(depth, isEntry)
}

// escapeHidden escapes characters that a terminal would act on. In JSON without white space, these are always inside
// strings.
func escapeHidden(text []byte) []byte {
	if !bytes.ContainsFunc(text, escape.IsHidden) {
		return text
	}
	var out []byte
	for _, r := range string(text) {
		if !escape.IsHidden(r) {
			out = utf8.AppendRune(out, r)
			continue
		}
		for _, unit := range utf16.AppendRune(nil, r) {
			out = fmt.Appendf(out, `\u%04x`, unit)
		}
	}
	return out
}

// indent prints the next value of the text.
func (p *printer) indent(depth int, isEntry bool) {
	if p.text[0] != '{' && p.text[0] != '[' {
		p.printScalar()
		return
	}
	isOneLine := p.text[1] == '}' || p.text[1] == ']' || p.text[0] == '{' && isEntry && isFlat(p.text)
	isList := p.text[0] == '['
	p.printNext(1)
	for p.text[0] != '}' && p.text[0] != ']' {
		if !isOneLine {
			p.breakLine(depth + 1)
		}
		if !isList {
			p.printScalar()
			p.printNext(len(":"))
			p.print(" ")
		}
		p.indent(depth+1, isList)
		if p.text[0] != ',' {
			continue
		}
		p.printNext(len(","))
		if isOneLine {
			p.print(" ")
		}
	}
	if !isOneLine {
		p.breakLine(depth)
	}
	p.printNext(1)
}

// isFlat reports whether the object at the beginning of a text holds neither objects nor lists.
func isFlat(text []byte) bool {
	text = text[1:]
	for {
		text = text[scalarLength(text):]
		switch text[0] {
		case '{', '[':
			return false
		case '}':
			return true
		}
		text = text[1:] // a colon or a comma
	}
}

// scalarLength returns the length of the string, number or word at the beginning of a text, or 0.
func scalarLength(text []byte) int {
	if text[0] != '"' {
		if end := bytes.IndexAny(text, `{}[]:,`); end >= 0 {
			return end
		}
		return len(text)
	}
	for i := 1; ; i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
}

func (p *printer) printScalar() { p.printNext(scalarLength(p.text)) }

// printNext prints the next bytes of the text.
func (p *printer) printNext(count int) {
	p.out.Write(p.text[:count]) //nolint:errcheck // Flush returns the error
	p.text = p.text[count:]
}

func (p *printer) print(text string) {
	p.out.WriteString(text) //nolint:errcheck // Flush returns the error
}

func (p *printer) breakLine(depth int) {
	p.print("\n" + strings.Repeat("  ", depth))
}
