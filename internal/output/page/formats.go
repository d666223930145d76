package page

import (
	"io"
	"slices"
)

// Formats are the formats of a report, in the order in which help lists them.
type Formats[Report any] []Format[Report]

// Format is a way to write a report, such as JSON.
type Format[Report any] struct {
	Name  string
	Write func(w io.Writer, r Report) error
}

// Names returns the names of the formats.
func (f Formats[Report]) Names() []string {
	names := make([]string, len(f))
	for i, format := range f {
		names[i] = format.Name
	}
	return names
}

// Write writes a report in the format with a name, which must be one of Names.
func (f Formats[Report]) Write(w io.Writer, name string, r Report) error {
	return f[slices.Index(f.Names(), name)].Write(w, r)
}
