// Package outputformat writes a report in the format that was chosen by its name.
package outputformat

import (
	"io"
	"slices"
)

// Format is a way to write a page, such as JSON.
type Format[Page any] struct {
	Name  string
	Write func(w io.Writer, p Page) error
}

// List lists the formats of a report, in the order in which help lists them.
type List[Page any] []Format[Page]

// Names returns the names of the formats.
func (l List[Page]) Names() []string {
	names := make([]string, len(l))
	for i, format := range l {
		names[i] = format.Name
	}
	return names
}

// Write writes a page in the format with a name, which must be one of Names.
func (l List[Page]) Write(w io.Writer, name string, p Page) error {
	return l[slices.Index(l.Names(), name)].Write(w, p)
}
