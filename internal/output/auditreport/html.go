package auditreport

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"pillion.dev/pillion/internal/audit"
	"pillion.dev/pillion/internal/output/page"
	"pillion.dev/pillion/internal/text/spelling"
)

// HTML writes a page with workloads and not pods, because a cluster has very many of them: a reader who opens a
// workload sees those of its pods that are not current. The page stays small for any cluster: of very many workloads,
// it has the worst ones.
func HTML(w io.Writer, p Page) error {
	const most = 1000
	lines, counts := lines(p.workloads()), CountsOf(p.Audit.Rows)
	out := page.Page{
		Title: p.Title, Injectors: p.Injectors, Noun: "owner", State: "state", Numbers: []string{"Current"}, Details: "Pods",
		Search: "name, reason, pod", Hidden: "pods", Command: "pillion audit -o wide",
		Counts: counts.onPage(p.noun()), Findings: page.Lines(p.Audit.Findings), Groups: groups(p.Audit.Rows),
		Advice: adviceOf(lines),
	}
	seen := map[*workload]bool{}
	for _, l := range lines {
		if !seen[l.workload] && len(seen) < most { // the first is the worst
			out.Rows = append(out.Rows, l.onPage(!p.hasOneInjector()))
		}
		seen[l.workload] = true
	}
	if all := len(seen); all > most {
		text := fmt.Sprintf("%d of %d owners are shown, the worst ones; pillion audit -o wide prints all.", most, all)
		out.Notes = append(out.Notes, page.Line{Text: text})
	}
	for _, r := range skipped(p.Audit.Rows) {
		line := page.Line{Class: string(audit.Skipped), Label: strconv.Itoa(len(r.Rows)), Code: string(r.Key)}
		if like := r.Rows[0].Message; like != "" {
			line.Text = "for example: " + like
		}
		out.Left = append(out.Left, line)
	}
	return out.HTML(w)
}

// onPage returns the share of pods that are as declared, and the counts of the states, given what is counted.
func (c Counts) onPage(noun string) []page.Count {
	var counts []page.Count
	if selected := c.selected(); selected > 0 {
		counts = append(counts, page.Count{
			Class: "coverage", Number: page.Share(c[audit.Current], selected), Words: "as declared",
			Remark: fmt.Sprintf("%d of %s", c[audit.Current], spelling.Plural(selected, noun)),
		})
	}
	words := func(s audit.State) string { return string(s) }
	return append(counts, page.Tiles(audit.States, c, c.notSkipped()+c[audit.Skipped], "state", words)...)
}

// groups returns the namespaces in which pods are not skipped, those with the most pods that are not current first.
func groups(rows []audit.Row) []page.Group {
	namespaces := map[string]Counts{}
	for _, pods := range page.By(rows, func(r *audit.Row) string { return r.Namespace }) {
		if c := CountsOf(pods.Rows); c.notSkipped() > 0 {
			namespaces[pods.Key] = c
		}
	}
	wrong := func(name string) int { return namespaces[name].notSkipped() - namespaces[name][audit.Current] }
	names := slices.SortedFunc(maps.Keys(namespaces), func(a, b string) int {
		return cmp.Or(cmp.Compare(wrong(b), wrong(a)), cmp.Compare(namespaces[b].selected(), namespaces[a].selected()), strings.Compare(a, b))
	})
	all := make([]page.Group, len(names))
	for i, name := range names {
		c := namespaces[name]
		words := c.words(audit.Current, audit.Missing, audit.Stale, audit.Unexpected, audit.Refused)
		if c.selected() > 0 {
			words = page.Share(c[audit.Current], c.selected()) + ": " + words
		}
		parts := page.Parts([]audit.State{audit.Current, audit.Stale, audit.Missing, audit.Refused, audit.Unexpected}, c)
		all[i] = page.Group{Name: name, Words: words, Parts: parts, Whole: c.notSkipped()}
	}
	return all
}

// onPage returns the workload of a line with all its pods, under the worst of their states.
func (l *line) onPage(hasInjector bool) page.Row {
	counts := Counts(l.Counts)
	row := page.Row{
		Name: l.Creator.Name, Namespace: l.Creator.Namespace, Kind: l.Creator.Kind,
		Class: string(l.state), State: string(l.state), Reason: l.reason,
		Numbers: []page.Number{{Words: fmt.Sprintf("%d/%d", counts[audit.Current], counts.selected()), Key: 1}},
		Detail:  podsOf(l.workload.rows),
	}
	if hasInjector {
		row.Injector = l.Injector
	}
	if counts.selected() > 0 {
		row.Numbers[0].Key = float64(counts[audit.Current]) / float64(counts.selected())
	}
	if counts.notSkipped() != counts[l.state] {
		row.State = counts.words(audit.Missing, audit.Stale, audit.Unexpected, audit.Refused)
	}
	for _, part := range page.Parts(audit.States, counts) {
		if part.Class != string(audit.Skipped) {
			row.Values = append(row.Values, part.Class)
		}
	}
	if l.Explanation != "" && isExplained(l.state) {
		row.Reason = strings.TrimSuffix(cut(l.Explanation)+"; "+mostFrequent(l.rows), "; ")
	}
	return row
}

// podsOf returns the pods that are not current, or of which there is more to know. Those of which the same is known are
// in one line.
func podsOf(rows []audit.Row) page.Detail {
	const most = 20
	shown := slices.DeleteFunc(slices.Clone(rows), func(r audit.Row) bool { return r.State == audit.Current && len(r.Infos) == 0 })
	slices.SortStableFunc(shown, func(a, b audit.Row) int { return compareStates(a.State, b.State) })
	var d page.Detail
	if len(shown) == 0 {
		d.Note = "All its pods are current."
	}
	if hidden := len(shown) - most; hidden > 0 {
		d.Note = fmt.Sprintf("And %d more; pillion audit -o wide prints all.", hidden)
		shown = shown[:most]
	}
	for _, pods := range page.By(shown, func(r *audit.Row) page.Line {
		return page.Line{Class: string(r.State), Label: string(r.State), More: strings.Join(details(r), "\n")}
	}) {
		var names []string
		for i := range pods.Rows {
			names = append(names, cut(pods.Rows[i].Pod))
		}
		pods.Key.Code = strings.Join(names, ", ")
		d.Lines = append(d.Lines, pods.Key)
	}
	return d
}
