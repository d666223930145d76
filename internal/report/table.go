package report

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/escape"
	"pillion.dev/pillion/internal/outcome"
)

// column is a heading with a function that returns the cells below it.
type column struct {
	heading string
	cell    func(row) string
}

var narrow = []column{
	{"NAMESPACE", func(r row) string { return r.workload.Object.Namespace }},
	{"WORKLOAD", func(r row) string {
		return finding.Object{Kind: r.workload.Object.Kind, Name: r.workload.Object.Name}.String()
	}},
	{"DECISION", func(r row) string { return string(r.decision) }},
	{"REASON", row.codes},
}

// The message is the last column, because it is long.
var short = slices.Concat(narrow, []column{{"MESSAGE", toDo}})

var broad = slices.Concat(narrow, []column{
	{"INJECTOR", row.injectors},
	{"CPU", func(r row) string { return r.cost.Requests.CPU() }},
	{"MEMORY", func(r row) string { return strings.ReplaceAll(r.cost.Requests.Memory(), " ", "") }},
	{"FILE", func(r row) string { return position(r.workload.File) }},
	{"MESSAGE", everything},
})

// toDo returns what would change the decision, or what is wrong. It is empty if there is nothing to do.
func toDo(r row) string {
	findings := r.others
	switch r.decision {
	case outcome.Skipped, outcome.Refused, outcome.HeldBack, outcome.OutOfDate:
		findings = append([]finding.Finding{r.reason}, findings...)
	}
	switch len(findings) {
	case 0:
		return ""
	case 1:
		return findings[0].Message
	default:
		return fmt.Sprintf("%s (and %d more)", findings[0].Message, len(findings)-1)
	}
}

// everything returns the message of the reason, and those of the other findings with their codes.
func everything(r row) string {
	message := r.reason.Message
	for _, f := range r.others {
		message += "; " + string(f.Code) + ": " + f.Message
	}
	return message
}

// Table writes a line for each workload, as kubectl get does: namespace, name, decision, reason, and what to do about it if
// there is something to do.
func Table(w io.Writer, p Page) error { return align(w, short, p.rows()) }

// Wide writes the table with the injector, the cost, the file, and all messages.
func Wide(w io.Writer, p Page) error { return align(w, broad, p.rows()) }

// align writes rows in columns with kubectl's spacing.
func align(w io.Writer, columns []column, rows []row) error {
	const gap = 3
	var text bytes.Buffer
	out := tabwriter.NewWriter(&text, 0, 0, gap, ' ', 0)
	cells := make([]string, len(columns))
	for i, c := range columns {
		cells[i] = c.heading
	}
	fmt.Fprintln(out, strings.Join(cells, "\t"))
	for _, row := range rows {
		for i, c := range columns {
			cells[i] = escape.Line(c.cell(row))
			if cells[i] == "" && i < len(columns)-1 {
				cells[i] = "<none>"
			}
		}
		fmt.Fprintln(out, strings.Join(cells, "\t"))
	}
	if err := out.Flush(); err != nil {
		return err
	}
	for line := range bytes.Lines(text.Bytes()) {
		if _, err := fmt.Fprintf(w, "%s\n", bytes.TrimRight(line, " \n")); err != nil { // the last cell may be empty
			return err
		}
	}
	return nil
}

// position returns a file and line as editors and CI jump to it: web.yaml:12.
func position(file *finding.File) string {
	if file == nil {
		return ""
	}
	return finding.File{Path: file.Path, Line: file.Line}.String()
}
