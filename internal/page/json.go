package page

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/escape"
)

// WriteJSON writes a value as JSON and escapes characters that a terminal would act on instead of showing them. Except for line breaks,
// these are always inside strings.
func WriteJSON(w io.Writer, value any) error {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false) // a report is not part of a page, and people search it for "image a -> b"
	if err := enc.Encode(value); err != nil {
		return err
	}
	hidden := func(r rune) bool { return r != '\n' && escape.IsHidden(r) }
	out := text.Bytes()
	if bytes.ContainsFunc(out, hidden) {
		out = nil
		for _, r := range text.String() {
			if !hidden(r) {
				out = utf8.AppendRune(out, r)
				continue
			}
			for _, unit := range utf16.AppendRune(nil, r) {
				out = fmt.Appendf(out, `\u%04x`, unit)
			}
		}
	}
	_, err := w.Write(out)
	return err
}

// Object is JSON with the members in the order of the list, which has their names and values by turns. As in the tags of Go's structs,
// a name may end with ",omitempty".
type Object []any

// MarshalJSON writes the members.
func (o Object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	separator := byte('{')
	for pair := range slices.Chunk(o, 2) {
		name, isOptional := strings.CutSuffix(pair[0].(string), ",omitempty")
		if isOptional && reflect.ValueOf(pair[1]).IsZero() {
			continue
		}
		b.WriteByte(separator)
		b.WriteString(strconv.Quote(name) + ":")
		if err := enc.Encode(pair[1]); err != nil {
			return nil, err
		}
		separator = ','
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// Document returns the start of a report. The counts have a number for each of the states.
func Document[State ~string](kind, title string, injectors []string, states []State, counts map[State]int, total int) Object {
	all := map[State]int{}
	for _, state := range states {
		all[state] = counts[state]
	}
	return Object{
		"apiVersion", "pillion.dev/v1alpha1", "kind", kind, "title", title, "injectors", append([]string{}, injectors...),
		"counts", all, "total", total,
	}
}

// Identity returns what identifies an object.
func Identity(o finding.Object) Object {
	return Object{"apiVersion", o.APIVersion, "kind", o.Kind, "namespace,omitempty", o.Namespace, "name", o.Name}
}

// File returns where something is in the input, or nil if that is not known.
func File(f *finding.File) Object {
	if f == nil {
		return nil
	}
	return Object{"path", f.Path, "index", f.Index, "line,omitempty", f.Line, "column,omitempty", f.Column}
}

// Findings returns findings as reports show them to programs. The list is never null.
func Findings(findings []finding.Finding) []Object {
	out := make([]Object, len(findings))
	for i, f := range findings {
		var field finding.Field
		if f.Field != nil {
			field = *f.Field
		}
		out[i] = Object{
			"severity", f.Severity.String(), "code", f.Code, "message", f.Message, "detail,omitempty", f.Detail,
			"injector,omitempty", f.Injector, "field,omitempty", field.Path, "current,omitempty", field.Current,
			"proposed,omitempty", field.Proposed, "file,omitempty", File(f.File),
		}
	}
	return out
}
