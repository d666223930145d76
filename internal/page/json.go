package page

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
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
			switch {
			case !hidden(r):
				out = utf8.AppendRune(out, r)
			case r > 0xffff:
				high, low := utf16.EncodeRune(r)
				out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
			default:
				out = fmt.Appendf(out, `\u%04x`, r)
			}
		}
	}
	_, err := w.Write(out)
	return err
}

// Document is what reports for programs begin with.
type Document struct {
	APIVersion string         `json:"apiVersion"`
	Kind       string         `json:"kind"`
	Title      string         `json:"title"`
	Injectors  []string       `json:"injectors"`
	Counts     map[string]int `json:"counts"`
	Total      int            `json:"total"`
}

// NewDocument returns the start of a report. The counts have a number for each of the states.
func NewDocument[State ~string](kind, title string, injectors []string, states []State, counts map[State]int, total int) Document {
	d := Document{"pillion.dev/v1alpha1", kind, title, append([]string{}, injectors...), map[string]int{}, total}
	for _, state := range states {
		d.Counts[string(state)] = counts[state]
	}
	return d
}

// Object is what identifies an object, for programs.
type Object struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Namespace  string `json:"namespace,omitempty"`
	Name       string `json:"name"`
}

// Finding is a finding as reports show it to programs.
type Finding struct {
	Severity string       `json:"severity"`
	Code     finding.Code `json:"code"`
	Message  string       `json:"message"`
	Detail   string       `json:"detail,omitempty"`
	Injector string       `json:"injector,omitempty"`
	Field    string       `json:"field,omitempty"`
	Current  string       `json:"current,omitempty"`
	Proposed string       `json:"proposed,omitempty"`
	File     *File        `json:"file,omitempty"`
}

// File is where something is in the input.
type File struct {
	Path   string `json:"path"`
	Index  int    `json:"index"`
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`
}

// Findings returns findings as reports show them to programs. The list is never null.
func Findings(findings []finding.Finding) []Finding {
	out := make([]Finding, len(findings))
	for i, f := range findings {
		out[i] = Finding{
			Severity: f.Severity.String(), Code: f.Code, Message: f.Message, Detail: f.Detail, Injector: f.Injector, File: (*File)(f.File),
		}
		if f.Field != nil {
			out[i].Field, out[i].Current, out[i].Proposed = f.Field.Path, f.Field.Current, f.Field.Proposed
		}
	}
	return out
}
