package command

import (
	"fmt"
	"io"
	"sync"
)

// progress shows on a terminal how many files are done, in a line that it takes away again.
type progress struct {
	to   io.Writer // nil where nobody looks
	word string

	mutex sync.Mutex
	shown bool
}

// progressEvery is after how many files the line is written anew: most trees are done before.
const progressEvery = 500

func (v *voice) progress(w io.Writer, word string) *progress {
	p := &progress{word: word}
	if !v.quiet && !v.github && isTerminal(w) {
		p.to = w
	}
	return p
}

// show is called by several at a time.
func (p *progress) show(count int) {
	if p.to == nil || count%progressEvery != 0 {
		return
	}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.shown = true
	fmt.Fprintf(p.to, "\r%d files %s", count, p.word)
}

func (p *progress) clear() {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.shown {
		p.shown = false
		fmt.Fprint(p.to, "\r\x1b[K")
	}
}
