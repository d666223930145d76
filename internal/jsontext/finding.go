package jsontext

import "pillion.dev/pillion/finding"

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

// File is where something is in the input.
type File struct {
	Path   string `json:"path"`
	Index  int    `json:"index"`
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`
}
