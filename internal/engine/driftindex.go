package engine

import "pillion.dev/pillion/internal/stamp"

// driftIndex holds drifts by what was changed: there may be thousands.
type driftIndex map[driftAt]stamp.Drift

// driftAt is something that was changed, and the key of the stamp that it is in.
type driftAt struct {
	owner string
	thing stamp.Thing
	field string
}

func newDriftIndex(drifts []stamp.Drift) driftIndex {
	x := driftIndex{}
	for _, d := range drifts {
		x[driftAt{d.Owner, d.Thing, d.Field}] = d
	}
	return x
}

// isChanged reports whether a person changed a field of something injected, or the whole.
func (x driftIndex) isChanged(owner string, t stamp.Thing, field string) bool {
	_, isChanged := x[driftAt{owner, t, field}]
	return isChanged
}

// isLost reports whether something could not be removed: its container is gone, or it is a different one of the same name.
func (x driftIndex) isLost(owner string, t stamp.Thing) bool {
	return x[driftAt{owner, t, ""}].Foreign || x[driftAt{owner, stamp.ContainerOf(t.Path), ""}].Lost
}
