package report

import (
	_ "embed"
	"io"
	"slices"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/cost"
	"pillion.dev/pillion/internal/escape"
	"pillion.dev/pillion/internal/outcome"
	"pillion.dev/pillion/internal/webpage"
)

var (
	//go:embed page/page.css
	style webpage.Constant
	//go:embed page/page.js
	script webpage.Constant
)

// HTML writes one page that needs no other file. Its policy allows only its own script, and no connections. The counts and
// the table are plain HTML. The diffs are data, which the script shows when they are opened: as HTML they would be many
// times larger.
func HTML(w io.Writer, p Page) error {
	rows := ranked(p.rows())
	view := pageView{
		Head: webpage.Head{
			Title: p.Title, Injectors: p.Injectors, Style: style, Script: script, Content: "workloads",
		},
		Tiles: tiles(p), Namespaces: namespaceBars(rows, p.Run.DryRun), Filters: filters(rows, p.label), Left: p.left(),
		Cost: p.Run.Cost(), Rows: make([]rowView, len(rows)), Others: p.general(),
	}
	if held := p.Run.Counts()[outcome.HeldBack]; held > 0 {
		view.Held = outcome.Plural(held, "workload")
	}
	for i, r := range rows {
		if finding.Count(r.findings, finding.Warning) > 0 {
			view.Warned++
		}
		view.Rows[i] = newRowView(r)
		view.Rows[i].Label = p.label(r.decision)
	}
	for _, line := range summary(p.Run.Changes()) {
		view.Changes = append(view.Changes, escape.Visible(line))
	}
	var err error
	if view.Data, err = packedData(rows); err != nil {
		return err
	}
	_, err = io.WriteString(w, view.markup())
	return err
}

// pageView is what the page shows.
type pageView struct {
	Head       webpage.Head
	Tiles      []tile
	Cost       cost.Total
	Warned     int    // how many workloads have warnings
	Held       string // the workloads that are held back, if any
	Left       string // how many of how many workloads are shown, if not all
	Changes    []string
	Namespaces []webpage.Bar
	Filters    []webpage.Filter
	Rows       []rowView
	Others     []finding.Finding
	Data       []byte // for the script
}

type rowView struct {
	Name, Namespace, Kind string
	Decision, Label       string
	Code, Message         string
	CPU, Memory           string
	Marks                 []markView
}

// markView is a warning or an error that a workload has besides its reason.
type markView struct{ Severity, Code string }

func newRowView(r row) rowView {
	object := r.workload.Object
	v := rowView{
		Name: escape.Visible(object.Name), Namespace: namespaceOf(r), Kind: escape.Visible(object.Kind),
		Decision: escape.Visible(string(r.decision)), Code: escape.Visible(string(r.code())),
		Message: escape.Visible(toDo(r, message)), // the rest is in the data
	}
	for _, f := range r.others {
		mark := markView{f.Severity.String(), escape.Visible(string(f.Code))}
		if !slices.Contains(v.Marks, mark) {
			v.Marks = append(v.Marks, mark)
		}
	}
	if v.Name == "" {
		v.Name = "(no name)"
	}
	if a := r.cost.Requests; a != (cost.Amount{}) {
		v.CPU, v.Memory = a.CPU(), a.Memory()
	}
	return v
}

func message(f finding.Finding) string { return f.Message } // the code is beside it

// label returns a decision as the page shows it and filters by it.
func (p Page) label(d outcome.Decision) string { return escape.Visible(d.Words(p.Run.DryRun)) }

// namespaceOf returns the namespace as the page names it. No namespace has brackets in its name.
func namespaceOf(r row) string {
	if r.workload.Object.Namespace == "" {
		return "(none)"
	}
	return escape.Visible(r.workload.Object.Namespace)
}
