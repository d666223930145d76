package report

import (
	"errors"
	"math"

	"pillion.dev/pillion/internal/edit"
	"pillion.dev/pillion/internal/escape"
	"pillion.dev/pillion/internal/webpage"
)

// pageData is the data of the page's script, as JSON.
type pageData struct {
	Strings []string  `json:"strings"`
	Rows    []rowData `json:"rows"`
}

// rowData is the part of a workload that the table does not show. Texts are indexes in pageData.Strings.
type rowData struct {
	File     int     `json:"f"`
	CPU      float64 `json:"c"`
	Bytes    float64 `json:"m"`
	Findings []int   `json:"n"` // in groups of five: severity, code, injector, message, details
	Diff     []int   `json:"d"` // in pairs: the index of a line in Strings, and how many lines from there on
}

// enoughData is the size above which the diffs of a page have less context. The context differs from workload to workload, so
// it takes most of the space; with less of it, a page for 500 workloads stays below 300 KB.
const enoughData = 75_000

// packedData returns the data of a page, compressed.
func packedData(rows []row) ([]byte, error) {
	packed, err := webpage.Pack(newPageData(rows, edit.Context), enoughData)
	if !errors.Is(err, webpage.ErrTooMuch) {
		return packed, err
	}
	return webpage.Pack(newPageData(rows, 1), math.MaxInt)
}

func newPageData(rows []row, context int) pageData {
	strs := webpage.NewPool()
	data := pageData{Rows: make([]rowData, len(rows))}
	for i, r := range rows {
		data.Rows[i] = newRowData(r, visibleHunks(r.workload, context), strs)
	}
	data.Strings = strs.Texts()
	return data
}

func newRowData(r row, diff []string, strs *webpage.Pool) rowData {
	d := rowData{
		File: strs.Index(escape.Visible(position(r.workload.File))), CPU: finite(r.cost.Requests.MilliCPU), Bytes: finite(r.cost.Requests.Bytes),
		Findings: []int{}, Diff: []int{},
	}
	for _, f := range r.findings {
		for _, text := range []string{f.Severity.String(), string(f.Code), f.Injector, f.Message} {
			d.Findings = append(d.Findings, strs.Index(escape.Visible(text)))
		}
		d.Findings = append(d.Findings, strs.Index(escape.VisibleLines(f.Detail)))
	}
	for _, line := range diff {
		i := strs.Index(line)
		if n := len(d.Diff); n > 0 && d.Diff[n-2]+d.Diff[n-1] == i {
			d.Diff[n-1]++
			continue
		}
		d.Diff = append(d.Diff, i, 1)
	}
	return d
}
