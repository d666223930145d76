package page

import (
	"bytes"
	"cmp"
	"compress/flate"
	"encoding/json"
	"math"

	"pillion.dev/pillion/internal/text/edit"
	"pillion.dev/pillion/internal/text/escape"
)

// data is what the script of a page reads, as JSON. Workloads get the same sidecar: most of the texts about them are
// equal and are in the pool once.
type data struct {
	Noun    string    `json:"noun"`
	Details string    `json:"details"`
	Filters []string  `json:"filters"`
	Strings []string  `json:"strings"`
	Rows    []rowData `json:"rows"`
}

// rowData is the part of a row that the table does not show. Texts are indexes in data.Strings.
type rowData struct {
	Values   [][]int   `json:"v"` // for each filter
	Keys     []float64 `json:"k"` // of the numbers
	Location int       `json:"p"`
	Lines    []int     `json:"l"` // in groups of six: class, label, code, text, end, more
	Diff     []int     `json:"d"` // in pairs: the index of a line in Strings, and how many lines from there on
	Note     int       `json:"n"`
}

// packed returns the data of a page, compressed. The context of diffs differs from workload to workload, so it takes
// most of the space; with less of it, a page for 500 workloads stays below 300 KB.
func (p *Page) packed() []byte {
	const enough = 75_000
	text := p.compressed(edit.Context)
	if len(text) > enough {
		return p.compressed(1)
	}
	return text
}

// compressed returns the data of a page. Nothing of it fails: the level is one that there is, the data is texts and
// finite numbers, and a buffer takes everything.
func (p *Page) compressed(context int) []byte {
	var b bytes.Buffer
	w, _ := flate.NewWriter(&b, flate.BestCompression)
	_ = json.NewEncoder(w).Encode(p.data(context))
	_ = w.Close()
	return b.Bytes()
}

func (p *Page) data(context int) data {
	texts := pool{known: map[string]int{}, all: []string{}}
	rows := make([]rowData, len(p.Rows))
	for i := range p.Rows {
		rows[i] = texts.rowData(&p.Rows[i], context)
	}
	filters := []string{"namespace", "kind", p.State, "injector", "reason", "severity"} // as the values of rows
	return data{p.Noun, p.Details, filters, texts.all, rows}
}

// pool keeps each text once, in the order of their first use, so that successive lines of a diff are successive here.
type pool struct {
	all   []string
	known map[string]int
}

// index returns the index of a text, which it adds if it is not there.
func (p *pool) index(text string) int {
	text = escape.VisibleLines(text)
	if i, known := p.known[text]; known {
		return i
	}
	p.known[text] = len(p.all)
	p.all = append(p.all, text)
	return len(p.all) - 1
}

func (p *pool) indexes(texts ...string) []int {
	all := []int{}
	for _, text := range texts {
		if text != "" {
			all = append(all, p.index(text))
		}
	}
	return all
}

func (p *pool) rowData(r *Row, context int) rowData {
	d := rowData{
		Values: [][]int{
			p.indexes(cmp.Or(r.Namespace, noNamespace)), p.indexes(r.Kind), p.indexes(r.Values...),
			p.indexes(r.Injector), p.indexes(r.Code), p.indexes(r.Severities...),
		},
		Location: p.index(r.Location), Note: p.index(r.Note), Keys: []float64{}, Lines: []int{}, Diff: []int{},
	}
	for _, n := range r.Numbers {
		d.Keys = append(d.Keys, Finite(n.Key))
	}
	for _, l := range r.Lines {
		for _, text := range []string{l.Class, l.Label, l.Code, l.Text, l.End, l.More} {
			d.Lines = append(d.Lines, p.index(text))
		}
	}
	if r.Diff != nil {
		d.Diff = p.runs(r.Diff(context))
	}
	return d
}

// runs returns lines as runs of successive texts of the pool.
func (p *pool) runs(lines []string) []int {
	runs := []int{}
	for _, line := range lines {
		i := p.index(line)
		if n := len(runs); n > 0 && runs[n-2]+runs[n-1] == i {
			runs[n-1]++
			continue
		}
		runs = append(runs, i, 1)
	}
	return runs
}

// Finite returns the nearest number that JSON can write: the numbers of a manifest may add up to infinity.
func Finite(n float64) float64 {
	if math.IsNaN(n) {
		return 0
	}
	return min(max(n, -math.MaxFloat64), math.MaxFloat64)
}
