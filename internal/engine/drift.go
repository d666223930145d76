package engine

import (
	"slices"

	"go.yaml.in/yaml/v3"

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
		wanted := view.At(d.Path, d.Key)
		if !isOverwritten(d, wanted) {
			continue
		}
		m, stays := p.work.run.owner(d.Owner), false
		for _, w := range p.describeDrift(m, d, wanted) {
			stays = w.stays != ""
			p.report(m, w.finding(m.injector.Spec.OnDrift, p.template.At(fields.FieldOf(d.Thing, w.field))))
		}
		if m.injector.Spec.OnDrift == v1alpha1.DriftKeep && stays {
			kept = append(kept, d)
			p.keepFingerprint(d.Thing)
		}
	}
	stamp.Keep(p.template.Own(p.work.changed).Node, p.template.Node, p.bared.Node, kept)
	p.checkKept(before, kept)
}

// describeDrift puts a drift into words, given what the injectors want in its place, or nil. If the config has not changed since,
// the fields in which a container differs from it are those that a person changed.
func (p *pod) describeDrift(m *member, d stamp.Drift, wanted *yaml.Node) []driftWords {
	fields := fieldsBetween(d.Path, d.Present, wanted)
	isByField := len(fields) > 0 && fields[0] != ""
	switch {
	case d.Foreign:
		return []driftWords{describeForeign(d)}
	case d.Lost:
		return []driftWords{describeLost(d)}
	}
	isAdded, isSame := p.addsAgain(m, d.Thing)
	if isByField && isAdded && !isSame {
		return []driftWords{describeBothChanged(d, fields)}
	}
	if !isSame {
		fields = []string{""}
	}
	words := make([]driftWords, len(fields))
	for i, field := range fields {
		words[i] = describeChange(d, field, wanted, slices.Contains(p.plan.remove, m))
		words[i].isStale = !isSame
		if !isAdded {
			words[i].stays = "" // otherwise what the app had before would be lost
		}
	}
	return words
}

// addsAgain reports whether an injector still adds what its old stamp names, and whether it adds the same.
func (p *pod) addsAgain(m *member, t stamp.Thing) (isAdded, isSame bool) {
	for _, made := range p.made {
		if made.by == m {
			f, isAdded := made.stamp.Added[t.Path][t.Key]
			return isAdded, f.Hash == p.before(m.key).Added[t.Path][t.Key].Hash
		}
	}
	return false, false
}

// keepFingerprint makes the new stamps record something that stays as a person changed it as the old ones do. So it counts as
// changed until the person takes the change back.
func (p *pod) keepFingerprint(t stamp.Thing) {
	for _, made := range p.made {
		old := p.before(made.by.key)
		if old == nil || !old.Adds(t.Path, t.Key) || !made.stamp.Adds(t.Path, t.Key) {
			continue
		}
		f := made.stamp.Added[t.Path][t.Key]
		f.Hash = old.Added[t.Path][t.Key].Hash
		made.stamp.Added[t.Path][t.Key] = f
	}
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

// isOverwritten reports whether something that a person changed differs from what is wanted in its place.
func isOverwritten(d stamp.Drift, wanted *yaml.Node) bool {
	return d.Lost || d.Foreign || !node.Equal(d.Present, wanted)
}

// driftIndex holds drifts by what was changed: there may be thousands.
type driftIndex map[driftAt]stamp.Drift

// driftAt is something that was changed, and the key of the stamp that it is in.
type driftAt struct {
	owner string
	thing stamp.Thing
}

func newDriftIndex(drifts []stamp.Drift) driftIndex {
	x := driftIndex{}
	for _, d := range drifts {
		x[driftAt{d.Owner, d.Thing}] = d
	}
	return x
}

// isLost reports whether something could not be removed: its container is gone, or it is a different one of the same name.
func (x driftIndex) isLost(owner string, t stamp.Thing) bool {
	return x[driftAt{owner, t}].Foreign || x[driftAt{owner, stamp.ContainerOf(t.Path)}].Lost
}
