package command

import (
	"fmt"
	"io"
	"sync"
)

// progress prints the number of files that are done to a terminal, in a line that it clears at the end.
type progress struct {
	to   io.Writer // nil if it is not a terminal
	word string

	mutex sync.Mutex
	shown bool
}

// progressEvery is the number of files between two updates of the line. Most trees have fewer.
const progressEvery = 500

func (m *messages) progress(w io.Writer, word string) *progress {
	p := &progress{word: word}
	if !m.quiet && isTerminal(w) {
		p.to = w
	}
	return p
}

// show updates the line. It is safe for concurrent use.
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
