package transformers

import (
	"strings"

	"pillion.dev/pillion/api/v1alpha1"
)

// The marks of containers for their stamps.
const (
	markInFront = "<"
	markBehind  = ">" // and the entry that it goes behind, if it says so
)

func sideOf(isLeading bool) string {
	if isLeading {
		return markInFront
	}
	return markBehind
}

func (p *Pod) mark(container, mark string) {
	if p.marks == nil {
		p.marks = map[string]string{}
	}
	p.marks[container] = mark
}

// Mark is the mark that a container needs in its stamp where its place among the app's entries does not tell
// what the config says; empty for most.
func (p *Pod) Mark(container string) string { return p.marks[container] }

// readMark sets what a container's mark says: its side of the app's, which is that of its kind where there is no mark,
// and what it goes behind.
func (b *Brought) readMark(container, mark string) {
	neighbour, isBehind := strings.CutPrefix(mark, markBehind)
	switch {
	case mark == markInFront:
		b.policies[container] = v1alpha1.BeforeAppContainer
	case isBehind:
		b.policies[container], b.neighbours[container] = v1alpha1.AfterAppContainer, neighbour
	default:
		b.policies[container] = ""
	}
}
