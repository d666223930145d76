package engine

import (
	"pillion.dev/pillion/internal/stamp"
)

// driftIndex finds drifts by their place: there may be thousands.
type driftIndex struct{ fields, lost, foreign map[driftAt]bool }

// driftAt is where something of an injector's was changed, by the key of its stamp.
type driftAt struct {
	owner string
	thing stamp.Thing
	field string
}

func newDriftIndex(drifts []stamp.Drift) *driftIndex {
	x := &driftIndex{map[driftAt]bool{}, map[driftAt]bool{}, map[driftAt]bool{}}
	for _, d := range drifts {
		at := driftAt{d.Owner, stamp.Thing{Path: d.Path, Key: d.Key}, d.Field}
		x.fields[at] = true
		switch {
		case d.Lost:
			x.lost[at] = true
		case d.Foreign:
			x.foreign[at] = true
		}
	}
	return x
}

// isChanged reports whether a person changed a field of something injected, or the whole.
func (x *driftIndex) isChanged(owner string, t stamp.Thing, field string) bool {
	return x.fields[driftAt{owner, t, field}]
}

// isLost reports whether something could not be taken out: it went with the container that it was put into, or is another
// by the same name.
func (x *driftIndex) isLost(owner string, t stamp.Thing) bool {
	return x.foreign[driftAt{owner, t, ""}] || x.lost[driftAt{owner, stamp.ContainerOf(t.Path), ""}]
}
