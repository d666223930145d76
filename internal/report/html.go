package report

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"io"
	"slices"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/cost"
	"pillion.dev/pillion/internal/outcome"
)

var (
	//go:embed page/page.css
	pageStyle constant
	//go:embed page/page.js
	pageScript constant
)

// HTML writes one page that needs no other file. Its policy allows only its own script, and no connections. The counts and
// the table are plain HTML. The diffs are data, which the script shows when they are opened: as HTML they would be many
// times larger.
func HTML(w io.Writer, p Page) error {
	rows := ranked(p.rows())
	view := pageView{
		Title: visible(p.Title),
		Policy: "default-src 'none'; style-src " + hashOf(pageStyle) + "; script-src " + hashOf(pageScript) +
			"; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'",
		Tiles: tiles(p), Namespaces: namespaceBars(rows, p.Run.DryRun), Filters: filters(rows, p.label), Left: p.left(),
		Cost: p.Run.Cost(), Rows: make([]rowView, len(rows)),
	}
	for _, name := range p.Injectors {
		view.Injectors = append(view.Injectors, visible(name))
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
		view.Changes = append(view.Changes, visible(line))
	}
	for _, f := range p.general() {
		view.Others = append(view.Others, otherView{f.Severity.String(), visible(string(f.Code)), visible(f.Message), visible(position(f.File))})
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
	Title      string
	Injectors  []string
	Policy     string
	Tiles      []tile
	Cost       cost.Total
	Warned     int    // how many workloads have warnings
	Held       string // the workloads that are held back, if any
	Left       string // how many of how many workloads are shown, if not all
	Changes    []string
	Namespaces []namespaceBar
	Filters    []filter
	Rows       []rowView
	Others     []otherView
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

type otherView struct {
	Severity, Code, Message, Place string
}

func newRowView(r row) rowView {
	object := r.workload.Object
	v := rowView{
		Name: visible(object.Name), Namespace: namespaceOf(r), Kind: visible(object.Kind),
		Decision: visible(string(r.decision)), Code: visible(string(r.code())), Message: visible(toDo(r, message)), // the rest is in the data
	}
	for _, f := range r.others {
		mark := markView{f.Severity.String(), visible(string(f.Code))}
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
func (p Page) label(d outcome.Decision) string { return visible(d.Words(p.Run.DryRun)) }

// namespaceOf returns the namespace as the page names it. No namespace has brackets in its name.
func namespaceOf(r row) string {
	if r.workload.Object.Namespace == "" {
		return "(none)"
	}
	return visible(r.workload.Object.Namespace)
}

func hashOf(inline constant) string {
	sum := sha256.Sum256([]byte(inline))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
