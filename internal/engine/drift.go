package engine

import (
	"slices"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/podtemplate"
	"pillion.dev/pillion/internal/stamp"
	"pillion.dev/pillion/internal/yaml/node"
)

// settleDrifts reports what a person has changed since it was injected, and keeps or overwrites it as the config says.
func (p *pod) settleDrifts() {
	if len(p.undone.Drifts) == 0 {
		return
	}
	before := p.version()
	view, fields := stamp.NewView(before.Node), stamp.NewView(p.template.Node)
	var kept []stamp.Drift
	for _, d := range p.undone.Drifts {
		if !isOverwritten(view, d) {
			continue
		}
		m := p.work.run.owner(d.Owner)
		w := describeDrift(d, view.At(d.Path, d.Key), p.isAddition(d), slices.Contains(p.plan.remove, m))
		p.report(m, w.finding(m.injector.Spec.OnDrift, p.template.At(fields.FieldOf(d))))
		if m.injector.Spec.OnDrift == v1alpha1.DriftKeep && w.stays != "" {
			kept = append(kept, d)
		}
	}
	stamp.Keep(p.template.Own(p.work.changed).Node, p.template.Node, kept)
	p.checkKept(before, kept)
}

// checkKept compares the pod that has a person's changes with the pod as the injectors made it: a container that somebody made
// privileged is subject to the same checks as one that an injector adds.
func (p *pod) checkKept(before podtemplate.Template, kept []stamp.Drift) {
	owners := map[string]bool{}
	for _, d := range kept {
		owners[d.Owner] = true
	}
	for _, made := range p.made {
		if !owners[made.by.key] {
			continue
		}
		for _, f := range p.checkWhole(made.by, before, p.version()) {
			f.Message += keptByHand
			p.report(made.by, f)
		}
	}
}

// isAddition reports whether a person added a field to an injected container.
func (p *pod) isAddition(d stamp.Drift) bool {
	if d.Field == "" {
		return false
	}
	_, isAdded := p.before(d.Owner).Added[d.Path][d.Key].Fields[d.Field]
	return !isAdded
}

// isOverwritten reports whether something that a person changed is different in a version of the template.
func isOverwritten(view *stamp.View, d stamp.Drift) bool {
	wanted := view.At(d.Path, d.Key)
	return d.Lost || d.Foreign || !node.Equal(valueOf(d.Present, d.Field), valueOf(wanted, d.Field))
}

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
