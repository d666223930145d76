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
	"pillion.dev/pillion/internal/output/page"
	"pillion.dev/pillion/internal/text/escape"
)

// Table writes a line for each workload and state of its pods, worst first, the counts, and what to do. Of lines that
// are alike, and of very many lines, it writes a few.
func Table(w io.Writer, p Page) error {
	all := lines(p.workloads())
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
		fmt.Fprintln(&out, escape.Line(strings.TrimSpace(advice.Label+": "+advice.Text+" "+advice.End)))
	}
	_, err := out.WriteTo(w)
	return err
}

// tableOf returns the table of lines, which are grouped by their states.
func tableOf(p Page, all []line) page.Table {
	t := page.Table{Headings: []string{"NAMESPACE", "OWNER", "STATE", "PODS", "REASON"}}
	hasInjector := !p.hasOneInjector()
	if hasInjector {
		t.Headings = slices.Insert(t.Headings, 2, "INJECTOR")
	}
	for _, l := range all {
		pods := fmt.Sprintf("%d/%d", len(l.rows), max(Counts(l.Counts).notSkipped(), len(l.rows)))
		cells := []string{cut(l.Creator.Namespace), cut(l.Creator.String()), string(l.state), pods, l.reason}
		if hasInjector {
			cells = slices.Insert(cells, 2, cut(l.Injector))
		}
		t.Rows = append(t.Rows, page.Cells{
			Texts:  cells,
			Group:  string(l.state),
			Alike:  l.Injector + "\n" + l.reason,
			Common: fmt.Sprintf(" with %s pods", l.state),
		})
	}
	return t
}

// summary returns the counts in a line.
func (p Page) summary() string {
	text := CountsOf(p.Audit.Rows).String()
	var reasons []string
	for _, r := range skipped(p.Audit.Rows) {
		reasons = append(reasons, fmt.Sprintf("%d %s", len(r.Rows), escape.Line(cut(string(r.Key)))))
	}
	if len(reasons) > 0 {
		text += " (" + strings.Join(reasons, ", ") + ")"
	}
	return text
}

// skipped returns the pods that are skipped by their reasons, the most frequent first.
func skipped(rows []audit.Row) []page.Set[finding.Code, audit.Row] {
	var all []page.Set[finding.Code, audit.Row]
	for _, pods := range page.By(rows, stateOf) {
		if pods.Key == audit.Skipped {
			all = page.By(pods.Rows, func(r *audit.Row) finding.Code { return r.Reason })
		}
	}
	slices.SortFunc(all, func(a, b page.Set[finding.Code, audit.Row]) int {
		return cmp.Or(cmp.Compare(len(b.Rows), len(a.Rows)), cmp.Compare(a.Key, b.Key))
	})
	return all
}

// infosOf returns a line with the numbers of pods that have infos, such as one about an image from another registry, or
// "". The table has no place for what these say.
func infosOf(rows []audit.Row) string {
	pods := map[finding.Code]map[int]bool{}
	for i := range rows {
		for _, info := range rows[i].Infos {
			if pods[info.Code] == nil {
				pods[info.Code] = map[int]bool{}
			}
			pods[info.Code][i] = true
		}
	}
	var parts []string
	for _, code := range slices.Sorted(maps.Keys(pods)) {
		parts = append(parts, fmt.Sprintf("%d %s", len(pods[code]), escape.Line(cut(string(code)))))
	}
	if len(parts) == 0 {
		return ""
	}
	return "infos: " + strings.Join(parts, ", ") + "; -o wide shows them"
}

// Wide writes a line for each pod and injector, worst first, with everything that is known.
func Wide(w io.Writer, p Page) error {
	t := page.Table{Headings: []string{"NAMESPACE", "POD", "OWNER", "REVISION", "INJECTOR", "STATE", "REASON"}}
	groups := p.groups()
	rows := slices.Clone(p.Audit.Rows)
	slices.SortStableFunc(rows, func(a, b audit.Row) int { return compareStates(a.State, b.State) })
	for i := range rows {
		row := &rows[i]
		cells := []string{row.Namespace, row.Pod, row.Creator.String(), row.Revision, row.Injector, string(row.State)}
		for i := range cells {
			cells[i] = cut(cells[i]) // all lines are as long as the longest
		}
		t.Rows = append(t.Rows, page.Cells{Texts: append(cells, everything(row, groups[row.GroupKey()]))})
	}
	return t.Write(w)
}
