package auditreport

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/audit"
	"pillion.dev/pillion/internal/escape"
	"pillion.dev/pillion/internal/table"
)

// usualColumns is the width of the table if that of the terminal is not known.
const usualColumns = 120

// Table writes a line for each workload and state of its pods, worst first, the counts, and what to do. Of lines that are alike, and of
// very many lines, it writes a few.
func Table(w io.Writer, p Page) error {
	all := lines(p.owners())
	var out bytes.Buffer
	if len(all) > 0 {
		if err := tableOf(p, all).Write(&out); err != nil {
			return err
		}
		out.WriteString("\n")
	}
	fmt.Fprintln(&out, p.summary())
	if infos := infosOf(p.Audit.Rows); infos != "" {
		fmt.Fprintln(&out, infos)
	}
	for _, advice := range adviceOf(all) {
		fmt.Fprintln(&out, escape.Line(advice.String()))
	}
	_, err := out.WriteTo(w)
	return err
}

// tableOf returns the table of lines.
func tableOf(p Page, all []line) table.Table {
	shown, more := folded(all)
	t := table.Table{Headings: []string{"NAMESPACE", "OWNER"}, More: more, Width: p.Columns}
	if t.Width <= 0 {
		t.Width = usualColumns
	}
	hasInjector := !p.hasOneInjector()
	if hasInjector {
		t.Headings = append(t.Headings, "INJECTOR")
	}
	t.Headings = append(t.Headings, "STATE", "PODS", "REASON")
	for _, l := range shown {
		cells := []string{l.Owner.Namespace, l.Owner.String()}
		if hasInjector {
			cells = append(cells, l.Injector)
		}
		pods := fmt.Sprintf("%d/%d", len(l.rows), max(Counts(l.Counts).notSkipped(), len(l.rows)))
		t.Rows = append(t.Rows, append(cells, string(l.state), pods, l.reason))
	}
	return t
}

// folded returns the lines that are shown, and the lines about those that are left out, by the number of lines before them.
func folded(all []line) ([]line, map[int]string) {
	const few, many = 3, 30 // lines that are alike, and lines of a state
	type likeness struct {
		state            audit.State
		injector, reason string
	}
	alike, ofState, hidden := map[likeness]int{}, map[audit.State]int{}, map[audit.State]int{}
	for _, l := range all {
		alike[likeness{l.state, l.Injector, l.reason}]++
	}
	var shown []line
	more, last := map[int]string{}, map[audit.State]int{}
	written := map[likeness]int{}
	for _, l := range all {
		key := likeness{l.state, l.Injector, l.reason}
		isFolded := alike[key] > few+1 && written[key] >= few
		if isFolded || ofState[l.state] >= many {
			hidden[l.state]++
			continue
		}
		written[key]++
		ofState[l.state]++
		shown = append(shown, l)
		last[l.state] = len(shown)
	}
	howToShow := "; -o wide shows all"
	for _, state := range audit.States {
		if hidden[state] > 0 {
			more[last[state]] = fmt.Sprintf("... and %d more with %s pods%s", hidden[state], state, howToShow)
			howToShow = ""
		}
	}
	return shown, more
}

// summary returns the counts in a line.
func (p Page) summary() string {
	text := CountsOf(p.Audit.Rows).String()
	var reasons []string
	for _, r := range skipped(p.Audit.Rows) {
		reasons = append(reasons, fmt.Sprintf("%d %s", r.count, escape.Line(table.Cut(string(r.code), longest))))
	}
	if len(reasons) > 0 {
		text += " (" + strings.Join(reasons, ", ") + ")"
	}
	if left := p.left(); left != "" {
		text += "; " + left + " are shown"
	}
	return text
}

// infosOf returns a line with the numbers of pods that have infos, such as one about an image from another registry, or "". The table has
// no place for what these say.
func infosOf(rows []audit.Row) string {
	pods := map[finding.Code]int{}
	for i := range rows {
		seen := map[finding.Code]bool{}
		for _, info := range rows[i].Infos {
			if !seen[info.Code] {
				pods[info.Code]++
			}
			seen[info.Code] = true
		}
	}
	var parts []string
	for _, code := range slices.Sorted(maps.Keys(pods)) {
		parts = append(parts, fmt.Sprintf("%d %s", pods[code], escape.Line(table.Cut(string(code), longest))))
	}
	if len(parts) == 0 {
		return ""
	}
	return "infos: " + strings.Join(parts, ", ") + "; -o wide shows them"
}

// Wide writes a line for each pod and injector, worst first, with everything that is known.
func Wide(w io.Writer, p Page) error {
	t := table.Table{Headings: []string{"NAMESPACE", "POD", "OWNER", "REVISION", "INJECTOR", "STATE", "REASON"}}
	groups := p.groups()
	rows := make([]*audit.Row, len(p.Audit.Rows))
	for i := range rows {
		rows[i] = &p.Audit.Rows[i]
	}
	slices.SortStableFunc(rows, func(a, b *audit.Row) int { return cmp.Compare(rankOf(a.State), rankOf(b.State)) })
	for _, row := range rows {
		cells := []string{row.Namespace, row.Pod, row.Owner.String(), row.Revision, row.Injector, string(row.State)}
		for i := range cells {
			cells[i] = table.Cut(cells[i], longest) // all lines are as long as the longest
		}
		t.Rows = append(t.Rows, append(cells, everything(row, groups[row.GroupKey()])))
	}
	return t.Write(w)
}
