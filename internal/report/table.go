package report

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"pillion.dev/pillion/finding"
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
	{"REASON", func(r Row) string { return joined(r.Codes()) }},
}

// The message is long and stands last, where it pushes nothing aside.
var short = append(narrow[:len(narrow):len(narrow)],
	column{"MESSAGE", toDo},
)

var broad = append(narrow[:len(narrow):len(narrow)],
	column{"INJECTOR", func(r Row) string { return strings.Join(r.Injectors(), ",") }},
	column{"CPU", func(r Row) string { return r.Cost.Requests.CPU() }},
	column{"MEMORY", func(r Row) string { return strings.ReplaceAll(r.Cost.Requests.Memory(), " ", "") }},
	column{"FILE", func(r Row) string { return place(r.File) }},
	column{"MESSAGE", everything},
)

// toDo is what would change the decision, or what is wrong. Where all is as wanted, it is nothing.
func toDo(r Row) string {
	said := r.Beside()
	if r.Decision == Skipped || r.Decision == Refused || r.Decision == HeldBack {
		said = append([]finding.Finding{r.Reason()}, said...)
	}
	switch len(said) {
	case 0:
		return ""
	case 1:
		return said[0].Message
	default:
		return fmt.Sprintf("%s (and %d more)", said[0].Message, len(said)-1)
	}
}

// everything is the message of the reason, and those of what is beside it, each with its code.
func everything(r Row) string {
	message := r.Reason().Message
	for _, f := range r.Beside() {
		message += "; " + string(f.Code) + ": " + f.Message
	}
	return message
}

func joined(codes []finding.Code) string {
	words := make([]string, len(codes))
	for i, code := range codes {
		words[i] = string(code)
	}
	return strings.Join(words, ",")
}

// Table writes a line for each workload, as kubectl get does: where, what, decision, reason, and what to do
// about it where there is something to do.
func Table(w io.Writer, p Page) error { return align(w, short, p.Rows) }

// Wide is Table with the injector, the cost, the file, and all that was said.
func Wide(w io.Writer, p Page) error { return align(w, broad, p.Rows) }

// align writes rows in columns with kubectl's spacing.
func align(w io.Writer, columns []column, rows []Row) error {
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
			cells[i] = OneLine(c.cell(row))
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
		if _, err := fmt.Fprintf(w, "%s\n", bytes.TrimRight(line, " \n")); err != nil { // where the last cell is empty
			return err
		}
	}
	return nil
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
