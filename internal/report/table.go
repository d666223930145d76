package report

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"pillion.dev/pillion/internal/finding"
)

// column is a heading, and what stands below it.
type column struct {
	heading string
	cell    func(Row) string
}

var narrow = []column{
	{"NAMESPACE", func(r Row) string { return r.Object.Namespace }},
	{"WORKLOAD", func(r Row) string { return finding.Object{Kind: r.Object.Kind, Name: r.Object.Name}.String() }},
	{"DECISION", func(r Row) string { return string(r.Decision) }},
	{"REASON", func(r Row) string { return string(r.Reason().Code) }},
}

// The message is long and stands last, where it pushes nothing aside.
var broad = append(narrow[:len(narrow):len(narrow)],
	column{"INJECTOR", func(r Row) string { return strings.Join(r.Injectors(), ",") }},
	column{"CPU", func(r Row) string { return r.Cost.Requests.CPU() }},
	column{"MEMORY", func(r Row) string { return strings.ReplaceAll(r.Cost.Requests.Memory(), " ", "") }},
	column{"FILE", func(r Row) string { return place(r.File) }},
	column{"MESSAGE", func(r Row) string { return r.Reason().Message }},
)

// Table writes a line for each workload, as kubectl get does: where, what, decision and reason.
func Table(w io.Writer, p Page) error { return align(w, narrow, p.Rows) }

// Wide is Table with the injector, the cost, the file, and the message: why, and what to do about it.
func Wide(w io.Writer, p Page) error { return align(w, broad, p.Rows) }

// align writes rows in columns with kubectl's spacing.
func align(w io.Writer, columns []column, rows []Row) error {
	const gap = 3
	out := tabwriter.NewWriter(w, 0, 0, gap, ' ', 0)
	cells := make([]string, len(columns))
	for i, c := range columns {
		cells[i] = c.heading
	}
	fmt.Fprintln(out, strings.Join(cells, "\t"))
	for _, row := range rows {
		for i, c := range columns {
			cells[i] = OneLine(c.cell(row))
			if cells[i] == "" {
				cells[i] = "<none>"
			}
		}
		fmt.Fprintln(out, strings.Join(cells, "\t"))
	}
	return out.Flush()
}

// place is a file as editors and CI jump to it: web.yaml:12.
func place(file *finding.File) string {
	switch {
	case file == nil:
		return ""
	case file.Line > 0:
		return fmt.Sprintf("%s:%d", file.Path, file.Line)
	default:
		return file.Path
	}
}
