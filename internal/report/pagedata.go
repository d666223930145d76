package report

import (
	"bytes"
	"compress/flate"
	"encoding/json"
	"errors"
	"math"
	"slices"

	"pillion.dev/pillion/internal/edit"
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
	packed, err := newPageData(rows, edit.Context).packed(enoughData)
	if !errors.Is(err, errTooMuch) {
		return packed, err
	}
	return newPageData(rows, 1).packed(math.MaxInt)
}

func newPageData(rows []row, context int) pageData {
	strs := pool{all: []string{}, places: map[string]int{}}
	data := pageData{Rows: make([]rowData, len(rows))}
	for i, r := range rows {
		data.Rows[i] = newRowData(r, visibleHunks(r.workload, context), &strs)
	}
	data.Strings = strs.all
	return data
}

func newRowData(r row, diff []string, strs *pool) rowData {
	d := rowData{
		File: strs.index(visible(position(r.workload.File))), CPU: finite(r.cost.Requests.MilliCPU), Bytes: finite(r.cost.Requests.Bytes),
		Findings: []int{}, Diff: []int{},
	}
	for _, f := range r.findings {
		for _, text := range []string{f.Severity.String(), string(f.Code), f.Injector, f.Message} {
			d.Findings = append(d.Findings, strs.index(visible(text)))
		}
		d.Findings = append(d.Findings, strs.index(visibleLines(f.Detail)))
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

// packed compresses the data, unless that takes more bytes than the most. Workloads get the same sidecar: most lines of their
// diffs are equal and are in the pool once, and the others differ only in a name or a checksum.
func (d pageData) packed(most int) ([]byte, error) {
	text, err := json.Marshal(d)
	if err != nil {
		return nil, err
	}
	b := bounded{most: most}
	w, err := flate.NewWriter(&b, flate.BestCompression)
	if err != nil {
		return nil, err
	}
	for piece := range slices.Chunk(append(text, '\n'), pieceBytes) { // so that it ends soon if it is too much
		if _, err := w.Write(piece); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// pieceBytes is how much is compressed at a time.
const pieceBytes = 64 << 10

var errTooMuch = errors.New("it takes too much space")

// bounded is a buffer that takes a number of bytes at most.
type bounded struct {
	bytes.Buffer
	most int
}

// Write adds bytes to the buffer.
func (b *bounded) Write(text []byte) (int, error) {
	if b.Len()+len(text) > b.most {
		return 0, errTooMuch
	}
	return b.Buffer.Write(text)
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
	p.places[text] = len(p.all)
	p.all = append(p.all, text)
	return len(p.all) - 1
}
