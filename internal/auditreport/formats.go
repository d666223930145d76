package auditreport

import (
	"io"
	"slices"
)

// Format writes a page. Each format has a file of its name.
type Format = func(w io.Writer, p Page) error

var formats = []struct {
	name  string
	write Format
}{
	{"table", Table},
	{"wide", Wide},
	{"json", JSON},
	{"html", HTML},
	{"prometheus", Prometheus},
}

// Formats returns the names of the formats, in the order in which help lists them.
func Formats() []string {
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = f.name
	}
	return names
}

// FormatOf returns the format with a name, which must be one of Formats.
func FormatOf(name string) Format { return formats[slices.Index(Formats(), name)].write }
