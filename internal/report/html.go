package report

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"io"
	"slices"
	"strings"
	"sync"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/cost"
)

var (
	//go:embed page/page.css
	pageStyle string
	//go:embed page/page.js
	pageScript string
	//go:embed page/page.html
	pageText string

	// Lines of the template are for its readers; what is sent has none of their indentation. It is
	// read when it is asked for: most runs never do, and would begin later for it.
	pageTemplate = sync.OnceValue(func() *template.Template { return template.Must(template.New("page").Parse(dense(pageText))) })
)

// HTML writes one page that needs nothing else. Its policy lets nothing run but the script in it, and
// nothing leave it. The counts and the table are plain HTML; the diffs are data from which the script makes
// them when they are opened, because as HTML they would take many times the room.
func HTML(w io.Writer, p Page) error {
	view := pageView{
		Title: visible(p.Title), Style: template.CSS(pageStyle), Script: template.JS(pageScript),
		Policy: "default-src 'none'; style-src " + hashOf(pageStyle) + "; script-src " + hashOf(pageScript) +
			"; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'",
		Tiles: tiles(p.Rows), Namespaces: namespaceBars(p.Rows), Filters: filters(p.Rows),
		Rows: make([]rowView, len(p.Rows)),
	}
	if p.Cost.String() != "" {
		view.Over = p.Cost.Over()
	}
	for _, name := range p.Injectors {
		view.Injectors = append(view.Injectors, visible(name))
	}
	if held := p.HeldBack(); held > 0 {
		view.Held = Workloads(held)
	}
	for i, r := range p.Rows {
		if finding.Count(r.Findings, finding.Warning) > 0 {
			view.Warned++
		}
		view.Total.MilliCPU += r.Cost.Requests.MilliCPU
		view.Total.Bytes += r.Cost.Requests.Bytes
		view.Limits.MilliCPU += r.Cost.Limits.MilliCPU
		view.Limits.Bytes += r.Cost.Limits.Bytes
		view.Rows[i] = newRowView(r)
	}
	for _, f := range p.Others {
		view.Others = append(view.Others, otherView{f.Severity.String(), visible(string(f.Code)), visible(f.Message), visible(place(f.File))})
	}
	var err error
	if view.Data, err = packedData(p.Rows); err != nil {
		return err
	}
	return pageTemplate().Execute(w, view)
}

// pageView is what the template shows.
type pageView struct {
	Title         string
	Injectors     []string
	Style         template.CSS
	Script        template.JS
	Policy        string
	Tiles         []tile
	Total, Limits cost.Amount
	Over          string // how many replicas the total is for
	Warned        int    // how many workloads have warnings
	Held          string // the workloads that are held back, if any
	Namespaces    []namespaceBar
	Filters       []filter
	Rows          []rowView
	Others        []otherView
	Data          []byte // in the script element, JSON makes base64 of it
}

type rowView struct {
	Name, Namespace, Kind string
	Decision              string
	Code, Message         string
	CPU, Memory           string
	Marks                 []markView
}

// markView is a warning or an error that a workload has besides its reason.
type markView struct{ Severity, Code string }

type otherView struct {
	Severity, Code, Message, Place string
}

func newRowView(r Row) rowView {
	reason := r.Reason()
	v := rowView{
		Name: visible(r.Object.Name), Namespace: namespaceOf(r), Kind: visible(r.Object.Kind),
		Decision: visible(string(r.Decision)), Code: visible(string(reason.Code)), Message: visible(toDo(r)), // the rest is in the data
	}
	for _, f := range r.Beside() {
		mark := markView{f.Severity.String(), visible(string(f.Code))}
		if !slices.Contains(v.Marks, mark) {
			v.Marks = append(v.Marks, mark)
		}
	}
	if v.Name == "" {
		v.Name = "(no name)"
	}
	if a := r.Cost.Requests; a != (cost.Amount{}) {
		v.CPU, v.Memory = a.CPU(), a.Memory()
	}
	return v
}

// namespaceOf is the namespace as the page names it. No namespace has brackets in its name.
func namespaceOf(r Row) string {
	if r.Object.Namespace == "" {
		return "(none)"
	}
	return visible(r.Object.Namespace)
}

func hashOf(inline string) string {
	sum := sha256.Sum256([]byte(inline))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

func dense(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimLeft(line, " ")
	}
	return strings.Join(lines, "\n")
}
