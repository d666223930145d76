package page

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"pillion.dev/pillion/internal/text/escape"
)

// gap is how many spaces are between columns, as in the tables of kubectl.
const gap = 3

// Short is how long a list is that is shown whole.
const Short = 30

// Table is a table for terminals, as kubectl get writes it.
type Table struct {
	Headings []string
	Rows     []Cells
}

// Cells are a row of a table. They may hold any text; what a terminal would act on is escaped.
type Cells struct {
	Texts []string
	// Rows of a group are written together. Of those that are alike, and of very many in a group, a few are written,
	// and a line with what the group has in common. Rows without a group are all written, and so are those of a short
	// table for terminals.
	Group, Alike, Common string
	DiffOf               string // what the diff is of; empty if there is none. Only Markdown has diffs.
	Diff                 func(context int) []string
}

// Write writes the table with kubectl's spacing. An empty cell is <none>, except the last of a row, which stays empty.
func (t Table) Write(w io.Writer) error {
	shown, more := folded(t.Rows, Short, "; -o wide shows all")
	var text bytes.Buffer
	out := tabwriter.NewWriter(&text, 0, 0, gap, ' ', 0)
	for _, cells := range t.lines(shown) {
		fmt.Fprintln(out, strings.Join(cells, "\t"))
	}
	_ = out.Flush() // a buffer takes everything
	var table strings.Builder
	written := 0
	for line := range strings.Lines(text.String()) {
		table.WriteString(strings.TrimRight(line, " \n") + "\n" + more[written]) // the last cell may be empty
		written++
	}
	_, err := io.WriteString(w, table.String())
	return err
}

// folded returns the rows that are written, which are all if there are at most short of them, and the lines about those
// that are left out, by the number of rows before them. The first of these ends with how to show all.
func folded(rows []Cells, short int, howToShow string) (shown []Cells, more map[int]string) {
	more = map[int]string{}
	for _, group := range By(rows, func(r *Cells) string { return r.Group }) {
		kept := group.Rows
		if group.Key != "" && len(rows) > short {
			kept = firstOf(group.Rows)
		}
		shown = append(shown, kept...)
		if hidden := len(group.Rows) - len(kept); hidden > 0 {
			more[len(shown)] = fmt.Sprintf("... and %d more%s%s\n", hidden, group.Rows[0].Common, howToShow)
			howToShow = ""
		}
	}
	return shown, more
}

// firstOf returns the rows of a group that are written: a few of those that are alike, and not very many.
func firstOf(group []Cells) []Cells {
	const few = 3
	all, kept := map[string]int{}, map[string]int{}
	for _, r := range group {
		all[r.Alike]++
	}
	var first []Cells
	for _, r := range group {
		if len(first) < Short && (kept[r.Alike] < few || all[r.Alike] == few+1) {
			first = append(first, r)
			kept[r.Alike]++
		}
	}
	return first
}

// lines returns the headings and the rows as they are written.
func (t Table) lines(rows []Cells) [][]string {
	lines := [][]string{slices.Clone(t.Headings)}
	for _, row := range rows {
		cells := make([]string, len(row.Texts))
		for i, cell := range row.Texts {
			cells[i] = escape.Line(cell)
			if cell == "" && i < len(cells)-1 {
				cells[i] = "<none>"
			}
		}
		lines = append(lines, cells)
	}
	return lines
}
