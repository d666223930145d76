package webpage

import (
	"bytes"
	"compress/flate"
	"encoding/json"
	"errors"
	"slices"
)

// Pack returns data as compressed JSON, or ErrTooMuch if that takes more bytes than the most. Workloads get the same sidecar: most of
// the texts about them are equal and are in a pool once, and the others differ only in a name or a checksum.
func Pack(data any, most int) ([]byte, error) {
	text, err := json.Marshal(data)
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

// ErrTooMuch means that data takes too much space.
var ErrTooMuch = errors.New("it takes too much space")

// bounded is a buffer that takes a number of bytes at most.
type bounded struct {
	bytes.Buffer
	most int
}

// Write adds bytes to the buffer.
func (b *bounded) Write(text []byte) (int, error) {
	if b.Len()+len(text) > b.most {
		return 0, ErrTooMuch
	}
	return b.Buffer.Write(text)
}

// Pool keeps each text once, in the order of their first use, so that successive lines of a diff are successive here.
type Pool struct {
	all    []string
	places map[string]int
}

// NewPool returns an empty pool.
func NewPool() *Pool { return &Pool{all: []string{}, places: map[string]int{}} }

// Texts returns the texts. The list is never null.
func (p *Pool) Texts() []string { return p.all }

// Index returns the index of a text, which it adds if it is not there.
func (p *Pool) Index(text string) int {
	if i, known := p.places[text]; known {
		return i
	}
	p.places[text] = len(p.all)
	p.all = append(p.all, text)
	return len(p.all) - 1
}
