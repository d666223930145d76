package payload

import (
	"strings"

	"pillion.dev/pillion/api/v1alpha1"
)

// A position mark is written into the stamp for a container whose position among the app's entries does not show what
// the config wants.
const (
	markInFront = "<"
	markBehind  = ">" // followed by the name of the entry that it goes behind, if the config has one
)

func sideMark(isLeading bool) string {
	if isLeading {
		return markInFront
	}
	return markBehind
}

func (p *Pod) setMark(container, mark string) {
	if p.marks == nil {
		p.marks = map[string]string{}
	}
	p.marks[container] = mark
}

// PositionMark returns the position mark of a container for its stamp; empty for most.
func (p *Pod) PositionMark(container string) string { return p.marks[container] }

// readMark sets what a position mark tells about a container: on which side of the app's entries it stands, which is the
// default side if there is no mark, and what it goes behind.
func (o *Origins) readMark(container, mark string) {
	neighbour, isBehind := strings.CutPrefix(mark, markBehind)
	switch {
	case mark == markInFront:
		o.policies[container] = v1alpha1.BeforeAppContainer
	case isBehind:
		o.policies[container], o.neighbours[container] = v1alpha1.AfterAppContainer, neighbour
	default:
		o.policies[container] = ""
	}
}
