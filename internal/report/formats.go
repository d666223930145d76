package report

import (
	"io"
	"slices"
)

// Format writes a page. Each has a file of its name.
type Format func(w io.Writer, p Page) error

var formats = []struct {
	name  string
	write Format
}{
	{"table", Table},
	{"wide", Wide},
	{"json", JSON},
	{"html", HTML},
	{"sarif", SARIF},
}

// Formats are the names that FormatOf knows, in the order to show them.
func Formats() []string {
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = f.name
	}
	return names
}

// FormatOf is the format of a name, which must be one of Formats.
func FormatOf(name string) Format { return formats[slices.Index(Formats(), name)].write }
