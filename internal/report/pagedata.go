package report

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
	Findings []int   `json:"n"` // four by four: severity, code, injector, message
	Diff     []int   `json:"d"` // two by two: the first line of a run in Strings, and how many follow each other there
}

func newRowData(r Row, strs *pool) rowData {
	d := rowData{
		File: strs.index(visible(place(r.File))), CPU: finite(r.Cost.Requests.MilliCPU), Bytes: finite(r.Cost.Requests.Bytes),
		Findings: []int{}, Diff: []int{},
	}
	for _, f := range r.Findings {
		d.Findings = append(d.Findings,
			strs.index(f.Severity.String()), strs.index(string(f.Code)), strs.index(visible(f.Injector)), strs.index(visible(f.Message)))
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
