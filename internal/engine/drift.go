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
	p.addOtherNames()
	if len(p.undone.Drifts) == 0 {
		return
	}
	before := p.version().Snapshot()
	view := stamp.NewView(before.Node)
	p.nameParts(view)
	var kept []stamp.Drift
	for _, d := range p.undone.Drifts {
		wanted := d.Wanted(view.At(d.Path, d.Key))
		if !isOverwritten(d, wanted) {
			continue
		}
		m := p.work.run.owners[d.Owner]
		words := p.describeDrift(m, d, wanted)
		for _, w := range words {
			p.report(m, w.finding(m.injector.Spec.OnDrift, p.template.At(p.viewBefore().FieldOf(d.Thing, w.field))))
		}
		if m.injector.Spec.OnDrift == v1alpha1.DriftKeep && words[0].stays != "" {
			kept = append(kept, d)
		}
	}
	p.keepFingerprints(kept)
	stamp.Keep(p.ownVersion().Node, p.template.Node, p.bared.Node, kept)
	p.checkKept(before, kept)
}

// nameParts gives parts of values that somebody has taken out their texts, which stamps do not have, if they come back.
func (p *pod) nameParts(wanted *stamp.View) {
	for _, made := range p.made {
		if old := p.before(made.by.key); old != nil {
			named := old.FindParts(wanted)
			for i, d := range p.undone.Drifts {
				if at, isNamed := named[d.Thing]; isNamed && d.Owner == made.by.key {
					p.undone.Drifts[i].Thing = at
				}
			}
		}
	}
}

// addOtherNames adds to the drifts what has other names of objects than the config declares, although it has declared these before. An
// undo does not notice it.
func (p *pod) addOtherNames() {
	for _, made := range p.made {
		old := p.before(made.by.key)
		if old == nil {
			continue
		}
		for _, t := range made.stamp.Things() {
			was := old.Added[t.Path][t.Key]
			if !stamp.Refers(t) || !old.Adds(t.Path, t.Key) || p.isDrifted(t) || !was.DeclaresLike(made.stamp.Added[t.Path][t.Key]) {
				continue
			}
			if present := p.viewBefore().At(t.Path, t.Key); present != nil && !was.Declares(t, present, p.declared(made.by)) {
				p.undone.Drifts = append(p.undone.Drifts, stamp.Drift{Owner: made.by.key, Thing: t, Present: present})
			}
		}
	}
}

// isDrifted reports whether it is known that somebody has changed something.
func (p *pod) isDrifted(t stamp.Thing) bool {
	return slices.ContainsFunc(p.undone.Drifts, func(d stamp.Drift) bool { return d.Thing == t })
}

// describeDrift puts a drift into words, given what the injectors want in its place, or nil. If the config has not changed since,
// the fields in which a container differs from it are those that a person changed. All of them stay, or none.
func (p *pod) describeDrift(m *member, d stamp.Drift, wanted *yaml.Node) []driftWords {
	switch {
	case d.Foreign:
		return []driftWords{describeForeign(d)}
	case d.Lost:
		return []driftWords{describeLost(d)}
	case d.IsGrown:
		return []driftWords{describeGrown(d)}
	}
	fields := fieldsBetween(d.Path, d.Present, wanted)
	isAdded, isSame := p.addsAgain(m, d.Thing)
	if isAdded && !isSame && fields[0] != "" {
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

// addsAgain reports whether an injector still adds what its old stamp names, and whether it adds the same. A variable that it sets is
// another one than a variable that it joins something to.
func (p *pod) addsAgain(m *member, t stamp.Thing) (isAdded, isSame bool) {
	for _, made := range p.made {
		if made.by == m {
			old := p.before(m.key)
			f, isAdded := made.stamp.Added[t.Path][t.Key]
			isAdded = isAdded && made.stamp.IsJoined(t) == old.IsJoined(t)
			return isAdded, f.Hash == old.Added[t.Path][t.Key].Hash
		}
	}
	return false, false
}

// keepFingerprints makes the new stamps record what stays as a person changed it as the old ones do. So it counts as changed until
// the person takes the change back.
func (p *pod) keepFingerprints(kept []stamp.Drift) {
	for _, made := range p.made {
		old := p.before(made.by.key)
		if old == nil {
			continue
		}
		for _, d := range kept {
			if old.Adds(d.Path, d.Key) && made.stamp.Adds(d.Path, d.Key) {
				f := made.stamp.Added[d.Path][d.Key]
				f.Hash = old.Added[d.Path][d.Key].Hash
				made.stamp.Added[d.Path][d.Key] = f
			}
		}
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
		for _, f := range p.brokenBetween(made.by, before, p.version()) {
			f.Message += keptByHand
			p.report(made.by, f)
		}
	}
}

// isOverwritten reports whether something that a person changed differs from what is wanted in its place.
func isOverwritten(d stamp.Drift, wanted *yaml.Node) bool {
	return d.Lost || d.Foreign || d.IsGrown || !node.Equal(d.Present, wanted)
}
