package command

import (
	"fmt"
	"io"
)

// progress shows on a terminal how many files were read, in a line that it takes away again.
type progress struct {
	to    io.Writer // nil where nobody looks
	shown bool
}

// progressEvery is after how many files the line is written anew: most trees are done before.
const progressEvery = 500

func (v *voice) progress(w io.Writer) *progress {
	if v.quiet || v.github || !isTerminal(w) {
		return &progress{}
	}
	return &progress{to: w}
}

func (p *progress) show(count int) {
	if p.to != nil && count%progressEvery == 0 {
		p.shown = true
		fmt.Fprintf(p.to, "\r%d files", count)
	}
}

func (p *progress) clear() {
	if p.shown {
		p.shown = false
		fmt.Fprint(p.to, "\r\x1b[K")
	}
}
