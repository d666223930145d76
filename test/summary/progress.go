package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"golang.org/x/term"
)

// progress is a line on a terminal that is written again and again. The methods of a nil progress do nothing.
type progress struct {
	out      *os.File
	packages int // to be tested; 0 if unknown
	start    time.Time
}

func (p *progress) show(r *results) {
	if p == nil {
		return
	}
	text := p.line(r, time.Since(p.start))
	if width, _, err := term.GetSize(int(p.out.Fd())); err == nil && width > 0 && len(text) >= width {
		text = text[:width-1] // a second line could not be removed
	}
	fmt.Fprintf(p.out, "\r%s\x1b[K", text)
}

func (p *progress) clear() {
	if p != nil {
		fmt.Fprint(p.out, "\r\x1b[K")
	}
}

// line returns such as "[37/92 packages] 1m20s: 812 passed, 3 skipped; running fn, test".
func (p *progress) line(r *results, elapsed time.Duration) string {
	of := ""
	if p.packages > 0 {
		of = fmt.Sprintf("/%d", p.packages)
	}
	doing := "building"
	if running := r.runningPackages(); len(running) > 0 {
		doing = "running " + strings.Join(running, ", ")
	}
	return fmt.Sprintf("[%d%s packages] %v: %s; %s", r.packages, of, elapsed.Round(time.Second), r.counts(len(r.failed)), doing)
}

func (r *results) runningPackages() []string {
	var packages []string
	for t := range r.running {
		if t.name == "" {
			packages = append(packages, t.String())
		}
	}
	slices.Sort(packages)
	return packages
}
