package report

import (
	"cmp"
	"io"
	"slices"
	"strconv"
	"strings"

	"pillion.dev/pillion/decision"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/output/page"
	"pillion.dev/pillion/internal/pods/cost"
	"pillion.dev/pillion/internal/text/spelling"
)

// HTML writes a page with every workload, and its diff.
func HTML(w io.Writer, p Page) error {
	out := p.Model()
	return out.HTML(w)
}

// Model returns what HTML writes.
func (p Page) Model() page.Page {
	out := page.Page{
		Title: p.Title, Injectors: p.Injectors, Noun: "workload", State: "decision", Numbers: []string{"CPU", "Memory"},
		Details: "What was said", Search: "name, reason, file", Hidden: "diffs", Command: "pillion diff",
		Notes: p.notes(), Findings: page.Lines(p.general()),
	}
	rows, warned := p.ranked(), 0
	for _, r := range rows {
		warned += min(finding.Count(r.findings, finding.Warning), 1)
		out.Rows = append(out.Rows, r.onPage(p.Run.DryRun))
	}
	out.Groups = groups(rows, p.Run.DryRun)
	out.Counts = p.counts(len(out.Groups), warned)
	for _, line := range summary(p.Run.Changes()) {
		out.Advice = append(out.Advice, page.Line{Text: line})
	}
	for _, counts := range p.Run.MakerCounts() {
		out.Advice = append(out.Advice, page.Line{Text: counts.String()})
	}
	if total := p.Run.Cost().String(); total != "" {
		out.Advice = append(out.Advice, page.Line{Text: total})
	}
	return out
}

// notes returns what a reader has to know before the counts.
func (p Page) notes() []page.Line {
	var notes []page.Line
	if held := p.Run.Counts()[decision.HeldBack]; held > 0 {
		text := "Nothing is written until the errors are settled: " + spelling.Plural(held, "workload") + " held back for the errors of others."
		notes = append(notes, page.Line{Class: finding.Error.String(), Text: text})
	}
	return notes
}

// counts returns the numbers of workloads by their decisions, and what the sidecars cost.
func (p Page) counts(namespaces, warned int) []page.Count {
	all := p.Run.Counts()
	number, noun, _ := strings.Cut(spelling.Plural(all.Workloads(), "workload"), " ")
	counts := []page.Count{{Class: "all", Number: number, Words: noun, Remark: spelling.Plural(namespaces, "namespace")}}
	words := func(d decision.Decision) string { return d.Words(p.Run.DryRun) }
	counts = append(counts, page.Tiles(decision.All(), all, all.Workloads(), "decision", words)...)
	if warned > 0 {
		counts = append(counts, page.Count{
			Class: "warning", Number: strconv.Itoa(warned), Words: "with warnings", Remark: "whatever the decision",
			Filter: "severity", Value: finding.Warning.String(),
		})
	}
	total := p.Run.Cost()
	if total.String() == "" {
		return counts
	}
	size := total.Requests.Size()
	return append(counts,
		costOf("CPU", size.CPU(), total.Requests.MilliCPU, total.Limits.CPU()),
		costOf("memory", size.Memory(), total.Requests.Bytes, total.Limits.Memory()))
}

func costOf(what, size string, amount float64, limits string) page.Count {
	c := page.Count{Class: "cost", Number: size, Words: what + " requested"}
	if amount < 0 {
		c.Words = what + " freed"
	}
	if limits != "0" {
		c.Remark = "limits " + limits
	}
	return c
}

// groups returns the namespaces, the one with the most workloads first.
func groups(rows []row, dryRun bool) []page.Group {
	namespaces := page.By(rows, func(r *row) string { return r.Object.Namespace })
	slices.SortFunc(namespaces, func(a, b page.Set[string, row]) int {
		return cmp.Or(cmp.Compare(len(b.Rows), len(a.Rows)), strings.Compare(a.Key, b.Key))
	})
	all := make([]page.Group, len(namespaces))
	for i, n := range namespaces {
		counts := decision.Counts{}
		for _, r := range n.Rows {
			counts[r.decision]++
		}
		all[i] = page.Group{
			Name: n.Key, Words: counts.Words(dryRun), Parts: page.Parts(decision.All(), counts), Whole: len(namespaces[0].Rows),
		}
	}
	return all
}

// onPage returns the row as the page shows it.
func (r row) onPage(dryRun bool) page.Row {
	o, words := r.Object, r.decision.Words(dryRun)
	out := page.Row{
		Name: o.Name, Namespace: o.Namespace, Kind: o.Kind, Class: string(r.decision), State: words, Values: []string{words},
		Reason:  r.toDo(func(f finding.Finding) string { return f.Message }), // the code is beside it
		Numbers: []page.Number{{Key: r.cost.Requests.MilliCPU}, {Key: r.cost.Requests.Bytes}},
		Detail:  page.Detail{Location: page.Location(r.File), Lines: page.Lines(r.findings)},
	}
	if r.reason.Code != r.decision.Code() { // otherwise it only repeats the decision
		out.Code = string(r.reason.Code)
	}
	if a := r.cost.Requests; a != (cost.Amount{}) {
		out.Numbers[0].Words, out.Numbers[1].Words = a.CPU(), a.Memory()
	}
	for _, f := range r.others {
		mark := page.Line{Class: f.Severity.String(), Code: string(f.Code)}
		if !slices.Contains(out.Marks, mark) {
			out.Marks = append(out.Marks, mark)
		}
	}
	for i, f := range r.findings {
		out.Lines[i].End = ""
		if f.Injector != "" {
			out.Lines[i].End = "[" + f.Injector + "]"
		}
		if f.Severity >= finding.Warning {
			out.Severities = append(out.Severities, f.Severity.String())
		}
	}
	if len(r.Hunks(0)) == 0 {
		out.Note = "Its text stays as it is."
		return out
	}
	out.Diff = r.diff
	return out
}

// diff returns the lines of what changes, with lines around it.
func (r row) diff(context int) []string {
	return strings.Split(strings.ReplaceAll(strings.TrimSuffix(string(r.Hunks(context)), "\n"), "\r\n", "\n"), "\n")
}
