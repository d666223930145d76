package report

import (
	"fmt"
	"io"
	"strings"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/outcome"
	"pillion.dev/pillion/internal/table"
)

// column is a heading with a function that returns the cells below it.
type column struct {
	heading string
	cell    func(row) string
}

// columns returns those of the table, or those of the wide one. The reason is the last, because it is long.
func (p Page) columns(isWide bool) []column {
	all := []column{
		{"NAMESPACE", func(r row) string { return r.workload.Object.Namespace }},
		{"WORKLOAD", func(r row) string {
			return finding.Object{Kind: r.workload.Object.Kind, Name: r.workload.Object.Name}.String()
		}},
		{"DECISION", func(r row) string { return r.decision.Words(p.Run.DryRun) }},
	}
	if !isWide {
		return append(all, column{"REASON", inShort})
	}
	return append(all,
		column{"INJECTOR", row.injectors},
		column{"CPU", func(r row) string { return r.cost.Requests.CPU() }},
		column{"MEMORY", func(r row) string { return strings.ReplaceAll(r.cost.Requests.Memory(), " ", "") }},
		column{"FILE", func(r row) string { return position(r.workload.File) }},
		column{"REASON", everything},
	)
}

// inShort returns why something is removed, what is wrong or would change the decision, and what changes.
func inShort(r row) string {
	code, why := r.whyRemoved()
	if code == "" {
		return problemsAndChanges(r)
	}
	return string(code) + ": " + why + "; " + problemsAndChanges(r)
}

// whyRemoved returns why a workload loses what was injected earlier. The code is empty if it does not, or if the run is to remove it.
func (r row) whyRemoved() (code finding.Code, why string) {
	if r.decision != outcome.Removed {
		return "", ""
	}
	for _, o := range r.workload.Outcomes {
		if o.Decision != outcome.Removed || !o.IsLeftAlone() {
			continue
		}
		if len(r.workload.Outcomes) > 1 {
			return o.Reason, o.Why + " [" + o.Injector + "]"
		}
		return o.Reason, o.Why
	}
	return "", ""
}

func problemsAndChanges(r row) string {
	const most = 3
	var parts []string
	if text := toDo(r, r.withInjectors); text != "" {
		parts = append(parts, text)
	}
	changes := r.workload.Changes()
	if r.decision == outcome.Refused {
		changes = nil
	}
	if more := len(changes) - most; more > 1 {
		changes = append(changes[:most:most], outcome.Plural(more, "more change"))
	}
	return strings.Join(append(parts, changes...), "; ")
}

// toDo returns what would change the decision, or what is wrong, as the function words puts it. It is empty if there is nothing to do.
func toDo(r row, words func(finding.Finding) string) string {
	findings := r.others
	if r.decision == outcome.Skipped || r.decision == outcome.Refused {
		findings = append([]finding.Finding{r.reason}, findings...)
	}
	if len(findings) == 0 {
		return ""
	}
	text := words(findings[0])
	if more := len(findings) - 1; more > 0 {
		text += fmt.Sprintf(" (and %d more)", more)
	}
	return text
}

// withInjectors returns a finding with its code, and with the first injectors that report it if there are several.
func (r row) withInjectors(f finding.Finding) string {
	const most = 3
	text := withCode(f)
	names := r.injectorsOf(f.Code)
	if len(r.workload.Outcomes) < 2 || len(names) == 0 {
		return text
	}
	if more := len(names) - most; more > 1 {
		names = append(names[:most:most], fmt.Sprintf("and %d more", more))
	}
	return text + " [" + strings.Join(names, ", ") + "]"
}

// withCode returns a finding with its code, if it has one.
func withCode(f finding.Finding) string {
	if f.Code == "" {
		return f.Message
	}
	return string(f.Code) + ": " + f.Message
}

// everything returns all findings of a row, with their injectors if there are several. The codes that repeat the decision are left out.
func everything(r row) string {
	const most = 20
	var parts []string
	for i, f := range r.findings {
		if i == most {
			parts = append(parts, fmt.Sprintf("and %d more", len(r.findings)-most))
			break
		}
		text := withCode(f)
		if f.Code == r.decision.Code() {
			text = f.Message
		}
		if f.Injector != "" && len(r.workload.Outcomes) > 1 {
			text += " [" + f.Injector + "]"
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, "; ")
}

// Table writes a line for each workload, as kubectl get does: namespace, name, decision, and the reason with what to do about it.
// What matters most comes first. Of rows that are alike, it writes a few.
func Table(w io.Writer, p Page) error {
	const few = 3
	var shown []row
	more := map[int]string{} // the line about the rows that are left out after that many
	howToShow := "; -o wide shows all"
	for _, alike := range grouped(ranked(p.rows())) {
		if hidden := len(alike) - few; hidden > 1 {
			more[len(shown)+few] = fmt.Sprintf("... and %d more%s%s", hidden, inCommon(alike), howToShow)
			alike, howToShow = alike[:few], ""
		}
		shown = append(shown, alike...)
	}
	return writeTable(w, p.columns(false), shown, more)
}

// grouped puts rows together that are alike, each group where its first row is. Rows are alike if they differ only in the workload.
// Workloads that are skipped as configured are alike if they have the same code: the messages have their labels, which always differ.
// So are those that lose the same for the same code.
func grouped(rows []row) [][]row {
	type likeness struct{ decision, injectors, reason string }
	var groups [][]row
	places := map[likeness]int{}
	for _, r := range rows {
		key := likeness{string(r.decision), r.injectors(), inShort(r)}
		if r.isSkippedAsConfigured() {
			key.reason = string(r.reason.Code)
		} else if code, _ := r.whyRemoved(); code != "" {
			key.reason = string(code) + ": " + problemsAndChanges(r)
		}
		place, known := places[key]
		if !known {
			place = len(groups)
			places[key] = place
			groups = append(groups, nil)
		}
		groups[place] = append(groups[place], r)
	}
	return groups
}

// inCommon returns what rows that are alike have in common, if their reasons differ.
func inCommon(alike []row) string {
	for _, r := range alike {
		if inShort(r) == inShort(alike[0]) {
			continue
		}
		if code, _ := r.whyRemoved(); code != "" {
			return " with " + string(code)
		}
		return " with " + string(r.reason.Code)
	}
	return ""
}

// Wide writes a line for every workload, with the injectors, the cost, the file, and all messages.
func Wide(w io.Writer, p Page) error { return writeTable(w, p.columns(true), ranked(p.rows()), nil) }

// writeTable writes a heading and a line for each row. More has the lines about rows that are left out, by the number of rows before
// them.
func writeTable(w io.Writer, columns []column, rows []row, more map[int]string) error {
	t := table.Table{Headings: make([]string, len(columns)), Rows: make([][]string, len(rows)), More: more}
	for i, c := range columns {
		t.Headings[i] = c.heading
	}
	for i, row := range rows {
		for _, c := range columns {
			t.Rows[i] = append(t.Rows[i], c.cell(row))
		}
	}
	return t.Write(w)
}

// position returns a file and line as editors and CI jump to it: web.yaml:12.
func position(file *finding.File) string {
	if file == nil {
		return ""
	}
	return finding.File{Path: file.Path, Line: file.Line}.String()
}
