package report

import "strings"

// pageData is what the script of the page works with, as JSON.
type pageData struct {
	Strings []string  `json:"strings"`
	Rows    []rowData `json:"rows"`
}

// rowData is what the table does not show of a workload. Texts are places in pageData.Strings.
type rowData struct {
	File     int     `json:"f"`
	CPU      float64 `json:"c"`
	Bytes    float64 `json:"m"`
	Findings []int   `json:"n"` // five by five: severity, code, injector, message, details
	Diff     []int   `json:"d"` // two by two: the first line of a run in Strings, and how many follow each other there
}

func newRowData(r Row, shared *pool) rowData {
	strs := poolOf{shared, impersonal(r)}
	d := rowData{
		File: strs.index(visible(place(r.File))), CPU: finite(r.Cost.Requests.MilliCPU), Bytes: finite(r.Cost.Requests.Bytes),
		Findings: []int{}, Diff: []int{},
	}
	for _, f := range r.Findings {
		d.Findings = append(d.Findings,
			strs.index(f.Severity.String()), strs.index(visible(string(f.Code))), strs.index(visible(f.Injector)),
			strs.index(visible(f.Message)), strs.index(visibleLines(f.Detail)))
	}
	for _, line := range r.hunks() {
		i := strs.index(line)
		if n := len(d.Diff); n > 0 && d.Diff[n-2]+d.Diff[n-1] == i {
			d.Diff[n-1]++
			continue
		}
		d.Diff = append(d.Diff, i, 1)
	}
	return d
}

// The page writes these for the name and the namespace of the workload, so that lines which differ in
// nothing else are the same one. They stand in no text of it: visible escapes them.
const (
	nameHere      = "\x01"
	namespaceHere = "\x02"
)

// impersonal replaces the workload's name and namespace, if they are long enough to be worth it.
func impersonal(r Row) *strings.Replacer {
	const worthIt = 3
	var pairs []string
	for _, p := range [][2]string{{visible(r.Object.Name), nameHere}, {visible(r.Object.Namespace), namespaceHere}} {
		if len(p[0]) > worthIt {
			pairs = append(pairs, p[0], p[1])
		}
	}
	return strings.NewReplacer(pairs...)
}

// poolOf is the pool as one workload fills it.
type poolOf struct {
	*pool
	impersonal *strings.Replacer
}

func (p poolOf) index(text string) int { return p.pool.index(p.impersonal.Replace(text)) }

// pool keeps each text once. Workloads get the same sidecar, so the lines of their diffs are mostly the
// same ones, and follow each other in the same order: a diff is a few runs of the pool.
type pool struct {
	all    []string
	places map[string]int
}

func (p *pool) index(text string) int {
	if i, known := p.places[text]; known {
		return i
	}
	if p.places == nil {
		p.places = map[string]int{}
	}
	p.places[text] = len(p.all)
	p.all = append(p.all, text)
	return len(p.all) - 1
}
