package report

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/outcome"
)

// column is a heading, and the cells below it.
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
	{"REASON", func(r row) string { return joined(r.codes()) }},
}

// The message is long, and so the last column.
var short = append(narrow[:len(narrow):len(narrow)],
	column{"MESSAGE", toDo},
)

var broad = append(narrow[:len(narrow):len(narrow)],
	column{"INJECTOR", func(r row) string { return strings.Join(r.injectors(), ",") }},
	column{"CPU", func(r row) string { return r.cost.Requests.CPU() }},
	column{"MEMORY", func(r row) string { return strings.ReplaceAll(r.cost.Requests.Memory(), " ", "") }},
	column{"FILE", func(r row) string { return position(r.workload.File) }},
	column{"MESSAGE", everything},
)

// toDo is what would change the decision, or what is wrong. It is empty where everything is as wanted.
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

// everything is the message of the reason, and those of the other findings with their codes.
func everything(r row) string {
	message := r.reason.Message
	for _, f := range r.others {
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

// Table writes a line for each workload, as kubectl get does: namespace, name, decision, reason, and what to do about it
// where there is something to do.
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

// position is a file and line as editors and CI jump to it: web.yaml:12.
func position(file *finding.File) string {
	switch {
	case file == nil:
		return ""
	case file.Line > 0:
		return fmt.Sprintf("%s:%d", file.Path, file.Line)
	default:
		return file.Path
	}
}
