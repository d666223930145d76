package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
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

// FormatOf is the format of a name.
func FormatOf(name string) (Format, error) {
	i := slices.Index(Formats(), name)
	if i < 0 {
		return nil, fmt.Errorf("there is no report format %q; take one of %s", name, strings.Join(Formats(), ", "))
	}
	return formats[i].write, nil
}
