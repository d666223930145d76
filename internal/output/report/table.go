package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"pillion.dev/pillion/decision"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/outcome"
	"pillion.dev/pillion/internal/output/page"
	"pillion.dev/pillion/internal/pods/maker"
)

// Table writes a line for each workload, as kubectl get does: namespace, name, decision, and the reason with what to do
// about it. What matters most comes first. Rows are alike if they differ only in the workload, which some reasons
// describe; of these, it writes a few if the table is not short.
func Table(w io.Writer, p Page) error {
	rows := p.ranked()
	t := p.table(rows)
	for i, r := range rows {
		reason := len(t.Rows[i].Texts) - 1
		t.Rows[i].Texts[reason] += r.location()
	}
	return t.Write(w)
}

func (p Page) table(rows []row) page.Table {
	t := page.Table{Headings: []string{"NAMESPACE", "WORKLOAD", "DECISION", "REASON"}}
	first, differs := map[string]string{}, map[string]bool{} // the reasons of groups
	for _, r := range rows {
		reason := r.inShort()
		code, description := r.description()
		common := strings.Replace(reason, description, "", 1)
		group := strings.Join([]string{string(r.decision), r.injectors(), common}, "\n")
		if _, known := first[group]; !known {
			first[group] = reason
		}
		differs[group] = differs[group] || reason != first[group]
		cells := page.Cells{Texts: append(r.cells(p.Run.DryRun), reason), Group: group, Common: " with " + string(code)}
		if r.Edits != nil {
			cells.DiffOf = strings.TrimSuffix(r.Object.String()+" in "+page.Location(r.File), " in ")
			cells.Diff = r.diff
		}
		t.Rows = append(t.Rows, cells)
	}
	for _, m := range p.Run.Makers {
		t.Rows = append(t.Rows, page.Cells{
			Texts: append(makerCells(m), makerReason(m)),
			Group: m.Kind.Plural + m.Decision(),
		})
	}
	for i, r := range t.Rows {
		if !differs[r.Group] {
			t.Rows[i].Common = ""
		}
	}
	return t
}

// BesideTable writes what the table of a run does not say: the findings that are about no workload and, unless the
// table is wide, the second and further problems of a workload. Unless only errors are wanted, it then writes the
// changes and the totals.
func BesideTable(w io.Writer, p Page, isWide bool, line lineOf) error {
	const few = 3 // the table names the makers, but not what can be done
	findings := slices.Concat(p.Run.Config, p.Run.General)
	if len(p.Run.Makers) <= few {
		findings = p.general()
	}
	for _, r := range p.rows() {
		if problems := r.problems(); len(problems) > 1 && !isWide {
			findings = append(findings, problems[1:]...)
		}
	}
	lines := textLines(worstFirst(findings, p.Run.Level), p.Run.Level, mostLines, line)
	if p.Run.Level < finding.Error {
		lines = append(lines, endOf(p.Run)...)
	}
	return writeLines(w, lines)
}

// location returns where the first problem is, as the end of a reason, or "" if there is none.
func (r row) location() string {
	problems := r.problems()
	if len(problems) == 0 || problems[0].Severity < finding.Warning || problems[0].File == nil {
		return ""
	}
	return " (" + page.Location(problems[0].File) + ")"
}

// Wide writes a line for every workload, with the injectors, the cost, the file, and all messages.
func Wide(w io.Writer, p Page) error {
	t := page.Table{
		Headings: []string{"NAMESPACE", "WORKLOAD", "DECISION", "INJECTOR", "CPU", "MEMORY", "FILE", "REASON"},
	}
	for _, r := range p.ranked() {
		requests := r.cost.Requests
		t.Rows = append(t.Rows, page.Cells{Texts: append(r.cells(p.Run.DryRun),
			r.injectors(), requests.CPU(), strings.ReplaceAll(requests.Memory(), " ", ""),
			page.Location(r.File), r.everything())})
	}
	for _, m := range p.Run.Makers {
		t.Rows = append(t.Rows, page.Cells{
			Texts: append(makerCells(m), "", "", "", page.Location(m.File), makerReason(m)),
		})
	}
	return t.Write(w)
}

// makerCells returns the cells that all tables have of a maker.
func makerCells(m *maker.Maker) []string {
	name := finding.Object{Kind: m.Object.Kind, Name: m.Object.Name}.String()
	return []string{m.Object.Namespace, name, m.Decision()}
}

// makerReason returns why a maker is covered, or what is known of it.
func makerReason(m *maker.Maker) string {
	if m.IsCovered() {
		return m.Cover
	}
	return page.WithCode(finding.NotRendered, cmp.Or(m.Why, m.From, "it makes pods that are not checked here"))
}

// cells returns the cells that all tables have.
func (r row) cells(dryRun bool) []string {
	name := finding.Object{Kind: r.Object.Kind, Name: r.Object.Name}.String()
	return []string{r.Object.Namespace, name, r.decision.Words(dryRun)}
}

// description returns the part of the reason that describes the workload, such as its labels, with the code that it
// explains: of those that are skipped as configured, and of those that lose what was injected.
func (r row) description() (finding.Code, string) {
	if r.decision == decision.Skipped && !r.hasProblem() {
		return r.reason.Code, r.reason.Message
	}
	return r.whyRemoved()
}

// inShort returns why something is removed, what is wrong or would change the decision, and what changes.
func (r row) inShort() string {
	if code, why := r.whyRemoved(); code != "" {
		return page.WithCode(code, why) + "; " + r.problemsAndChanges()
	}
	return r.problemsAndChanges()
}

// whyRemoved returns why a workload loses what was injected earlier. The code is empty if it does not, or if the run is
// to remove it.
func (r row) whyRemoved() (code finding.Code, why string) {
	if r.decision != decision.Removed && r.decision != decision.Outdated {
		return "", ""
	}
	for _, o := range r.Outcomes {
		isVerified := o.Decision == decision.Outdated && o.Why != ""
		if !isVerified && (o.Decision != decision.Removed || !o.IsLeftAlone()) {
			continue
		}
		if len(r.Outcomes) > 1 {
			return o.Reason, o.Why + " [" + o.Injector + "]"
		}
		return o.Reason, o.Why
	}
	return "", ""
}

func (r row) problemsAndChanges() string {
	const most = 3
	var parts []string
	if text := r.toDo(r.withInjectors); text != "" {
		parts = append(parts, text)
	}
	changes := r.Changes()
	if r.decision == decision.Refused {
		changes = nil
	}
	changes = page.Few(changes, most, "%d more changes")
	if r.IsAccepted() {
		changes = append(changes, outcome.IsAcceptedText)
	}
	return strings.Join(append(parts, changes...), "; ")
}

// problems returns what would change the decision, or what is wrong. A table shows the first. The changes stand for a
// reason that only states the decision.
func (r row) problems() []finding.Finding {
	if r.reason.Code != r.decision.Code() {
		return append([]finding.Finding{r.reason}, r.others...)
	}
	return r.others
}

// toDo returns the problems, as the function words puts the first. It is empty if there are none.
func (r row) toDo(words func(finding.Finding) string) string {
	findings := r.problems()
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
	text := page.WithCode(f.Code, f.Message)
	names := r.injectorsOf(f.Code)
	if len(r.Outcomes) < 2 || len(names) == 0 {
		return text
	}
	return text + " [" + strings.Join(page.Few(names, most, "and %d more"), ", ") + "]"
}

// everything returns all findings of a row, with their injectors if there are several. The codes that repeat the
// decision are left out.
func (r row) everything() string {
	const most = 20
	var parts []string
	for _, f := range r.findings {
		text := page.WithCode(f.Code, f.Message)
		if f.Code == r.decision.Code() {
			text = f.Message
		}
		if f.Injector != "" && len(r.Outcomes) > 1 {
			text += " [" + f.Injector + "]"
		}
		parts = append(parts, text)
	}
	return strings.Join(page.Few(parts, most, "and %d more"), "; ")
}
