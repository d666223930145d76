package report

import (
	"bytes"
	"compress/flate"
	"encoding/json"

	"pillion.dev/pillion/internal/edit"
)

// pageData is the data of the page's script, as JSON.
type pageData struct {
	Strings []string  `json:"strings"`
	Rows    []rowData `json:"rows"`
}

// rowData is what the table does not show of a workload. Texts are indexes in pageData.Strings.
type rowData struct {
	File     int     `json:"f"`
	CPU      float64 `json:"c"`
	Bytes    float64 `json:"m"`
	Findings []int   `json:"n"` // five by five: severity, code, injector, message, details
	Diff     []int   `json:"d"` // two by two: the first line of a run in Strings, and how many follow each other there
}

// enoughData is the size from which on the diffs of a page have less context. The context differs from workload to workload, so
// it takes most of the space; with less of it, a page for 500 workloads stays below 300 KB.
const enoughData = 75_000

// packedData is the data of a page, compressed.
func packedData(rows []row) ([]byte, error) {
	diffs := make([][]string, len(rows))
	for i, r := range rows {
		diffs[i] = visibleHunks(r.workload, edit.Context)
	}
	packed, err := newPageData(rows, diffs).packed()
	if err != nil || len(packed) <= enoughData {
		return packed, err
	}
	for i, r := range rows {
		diffs[i] = visibleHunks(r.workload, 1)
	}
	return newPageData(rows, diffs).packed()
}

func newPageData(rows []row, diffs [][]string) pageData {
	var strs pool
	data := pageData{Rows: make([]rowData, len(rows))}
	for i, r := range rows {
		data.Rows[i] = newRowData(r, diffs[i], &strs)
	}
	data.Strings = orEmpty(strs.all)
	return data
}

func newRowData(r row, diff []string, strs *pool) rowData {
	d := rowData{
		File: strs.index(visible(position(r.workload.File))), CPU: finite(r.cost.Requests.MilliCPU), Bytes: finite(r.cost.Requests.Bytes),
		Findings: []int{}, Diff: []int{},
	}
	for _, f := range r.findings {
		d.Findings = append(d.Findings, strs.index(f.Severity.String()), strs.index(visible(string(f.Code))), strs.index(visible(f.Injector)),
			strs.index(visible(f.Message)), strs.index(visibleLines(f.Detail)))
	}
	for _, line := range diff {
		i := strs.index(line)
		if n := len(d.Diff); n > 0 && d.Diff[n-2]+d.Diff[n-1] == i {
			d.Diff[n-1]++
			continue
		}
		d.Diff = append(d.Diff, i, 1)
	}
	return d
}

// packed compresses the data. Workloads get the same sidecar: most lines of their diffs are equal and are in the pool once, and
// the others differ only in a name or a checksum.
func (d pageData) packed() ([]byte, error) {
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestCompression)
	if err != nil {
		return nil, err
	}
	if err := json.NewEncoder(w).Encode(d); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// pool keeps each text once, in the order of their first use, so that successive lines of a diff are successive here.
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
