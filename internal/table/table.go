// Package table writes tables for terminals, as kubectl get does.
package table

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"pillion.dev/pillion/internal/escape"
)

// gap is how many spaces are between columns, as in the tables of kubectl.
const gap = 3

// Table is a heading and rows of cells. Cells may hold any text; what a terminal would act on is escaped.
type Table struct {
	Headings []string
	Rows     [][]string
	More     map[int]string // lines about rows that are left out, by the number of rows before them
	Width    int            // of the terminal, to which cells are cut; 0 if they are not
}

// Write writes the table with kubectl's spacing. An empty cell is <none>, except the last of a row, which stays empty.
func (t Table) Write(w io.Writer) error {
	var text bytes.Buffer
	out := tabwriter.NewWriter(&text, 0, 0, gap, ' ', 0)
	for _, cells := range t.lines() {
		fmt.Fprintln(out, strings.Join(cells, "\t"))
	}
	if err := out.Flush(); err != nil {
		return err
	}
	written := 0
	for line := range strings.Lines(text.String()) {
		line = strings.TrimRight(line, " \n") + "\n" // the last cell may be empty
		if t.More[written] != "" {
			line += t.More[written] + "\n"
		}
		if _, err := io.WriteString(w, line); err != nil {
			return err
		}
		written++
	}
	return nil
}

// lines returns the headings and the rows as they are written.
func (t Table) lines() [][]string {
	lines := make([][]string, 0, 1+len(t.Rows))
	lines = append(lines, slices.Clone(t.Headings))
	for _, row := range t.Rows {
		cells := make([]string, len(row))
		for i, cell := range row {
			cells[i] = escape.Line(cell)
			if cell == "" && i < len(row)-1 {
				cells[i] = "<none>"
			}
		}
		lines = append(lines, cells)
	}
	if t.Width > 0 {
		fit(lines, t.Width)
	}
	return lines
}
