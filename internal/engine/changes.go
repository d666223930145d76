package engine

import (
	"maps"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/outcome"
	"pillion.dev/pillion/internal/stamp"
	"pillion.dev/pillion/internal/yaml/node"
)

// noteChanges adds what each injector did to the pod template to its outcome.
func (p *pod) noteChanges(moved map[string]map[string]bool) {
	l := changeList{pod: p, moved: moved}
	for _, made := range p.made {
		l.noteMade(made)
	}
	for _, m := range p.plan.remove {
		l.between(m, p.before(m.key), &stamp.Stamp{})
		if len(l.changes) == 0 {
			l.add(outcome.Removes, annotationsPath, m.key)
		}
		l.note(m, outcome.Removed)
	}
}

// before returns the stamp of an earlier run that is undone, by its key, or nil.
func (p *pod) before(key string) *stamp.Stamp {
	for _, o := range p.plan.undo {
		if o.Key == key {
			return o.Stamp
		}
	}
	return nil
}

// note moves the changes to the injector's outcome, which stays unchanged if there are none.
func (l *changeList) note(m *member, decision outcome.Decision) {
	o := &l.pod.work.outcomes[m.index]
	if len(l.changes) > 0 {
		o.Decision = outcome.Stronger(o.Decision, decision)
	}
	if o.Changes == nil {
		o.Changes = l.changes
	} else {
		o.Changes = append(o.Changes, l.changes...)
	}
	l.changes = nil
}

// noteMade compares what an injector did with what it had done before.
func (l *changeList) noteMade(made made) {
	p, m := l.pod, made.by
	old := p.before(m.key)
	switch {
	case old == nil:
		l.injected(made)
		if len(l.changes) == 0 {
			p.warnUnstamped(m)
		}
		l.note(m, outcome.Injected)
	case p.stamps.adopted[m.key]:
		for _, t := range old.Things() {
			l.add(outcome.Adopts, t.Path, t.Key)
		}
		l.between(m, old, made.stamp)
		l.note(m, outcome.Injected)
	default:
		l.updated(made, old)
		l.note(m, outcome.Updated)
	}
}

// injected lists what an injector adds to a pod template for the first time.
func (l *changeList) injected(made made) {
	for _, t := range made.stamp.Things() {
		_, replaces := made.stamp.Was[t.Path][t.Key]
		switch {
		case l.isImplied(made.by, made.stamp, &stamp.Stamp{}, t):
		case made.shared[t]:
			l.addOthers(outcome.Shares, t, l.otherOwners(made.by, t))
		case replaces:
			l.add(outcome.Replaces, t.Path, t.Key)
		default:
			l.add(outcome.Adds, t.Path, t.Key)
		}
	}
	for _, t := range made.stamp.GrownThings() {
		l.addGrown(t)
	}
	for _, path := range sortedKeys(made.stamp.Cut) {
		for _, entry := range made.stamp.Cut[path] {
			l.changes = append(l.changes, outcome.Change{
				Verb: outcome.Removes, Template: l.pod.template.Path, Path: path, Key: "#", Old: brief(node.String(entry.Text)),
			})
		}
	}
}

// updated lists what an injector changes in what it had added.
func (l *changeList) updated(made made, old *stamp.Stamp) {
	p, in := l.pod, made.by.injector
	l.between(made.by, old, made.stamp)
	for _, d := range p.undone.Drifts {
		if d.Owner == made.by.key && d.IsGrown {
			l.addGrown(d.Thing)
		}
		if d.Owner != made.by.key || d.IsGrown || in.Spec.OnDrift != v1alpha1.DriftOverwrite {
			continue
		}
		if made.stamp.Added[d.Path][d.Key].Hash == old.Added[d.Path][d.Key].Hash { // otherwise it is updated
			l.addDifferences(outcome.SetsBack, d.Thing)
		}
	}
	switch {
	case in.Spec.Stamp == v1alpha1.StampNone, len(l.changes) == 0 && made.stamp.Empty() && !old.Empty():
		l.add(outcome.Removes, annotationsPath, made.by.key)
	case len(l.changes) == 0 && old.String() != made.stamp.String():
		l.add(outcome.Updates, annotationsPath, made.by.key)
	}
}

// between lists the differences between two stamps of an injector.
func (l *changeList) between(m *member, old, now *stamp.Stamp) {
	p := l.pod
	restored, isRestored := p.restoredBy(m)
	for _, t := range now.Things() {
		is := now.Added[t.Path][t.Key]
		was, known := old.Added[t.Path][t.Key]
		switch {
		case !known && l.isImplied(m, now, old, t):
		case !known:
			l.add(outcome.Adds, t.Path, t.Key)
		case (was.Hash != is.Hash || l.hasOtherNames(t)) && l.addDifferences(outcome.Updates, t):
		case was.InFront != is.InFront || l.moved[t.Path][t.Key]:
			l.add(outcome.Moves, t.Path, t.Key)
		}
	}
	for _, t := range old.Things() {
		if now.Adds(t.Path, t.Key) || p.viewBefore().At(t.Path, t.Key) == nil || l.isImplied(m, old, now, t) {
			continue
		}
		// A container stays if the stamp may have been copied from another workload.
		isForeign := stamp.IsContainers(t.Path) && l.stays(t)
		if owners := l.otherOwners(m, t); len(owners) > 0 {
			l.addOthers(outcome.Leaves, t, owners)
		} else if !isRestored[t] && !isForeign {
			l.add(outcome.Removes, t.Path, t.Key)
		}
	}
	for _, t := range restored {
		l.add(outcome.Restores, t.Path, t.Key)
	}
	for _, t := range now.GrowsUnlike(old) {
		if !isRestored[t] {
			l.addGrown(t)
		}
	}
}

// restoredBy returns the things that were restored from the stamp of an injector and are in the result, each once.
func (p *pod) restoredBy(m *member) (things []stamp.Thing, isRestored map[stamp.Thing]bool) {
	isRestored = map[stamp.Thing]bool{}
	for _, r := range p.undone.StillIn(p.version().Node) {
		if r.Owner == m.key && !isRestored[r.Thing] {
			isRestored[r.Thing] = true
			things = append(things, r.Thing)
		}
	}
	return things, isRestored
}

// movedBetween returns the owners' things that have moved in lists of a template, by path and key.
func movedBetween(before, after *yaml.Node, owners []stamp.Owner) map[string]map[string]bool {
	if before == after {
		return nil
	}
	moved := map[string]map[string]bool{}
	were, are := stamp.NewView(before), stamp.NewView(after)
	for _, o := range owners {
		for path := range o.Added {
			_, isJoined := stamp.JoinedVariable(path)
			switch {
			case moved[path] == nil:
				moved[path] = stamp.Moved(were, are, path, o.Stamp)
			case isJoined: // each stamp has parts of its own there
				maps.Copy(moved[path], stamp.Moved(were, are, path, o.Stamp))
			}
		}
	}
	return moved
}

// warnUnstamped warns of a sidecar that equals the payload and has no stamp: it is never updated, and becomes a conflict once
// the config changes.
func (p *pod) warnUnstamped(m *member) {
	spec := &m.injector.Spec
	if !m.injector.IsForeign() && spec.Stamp == v1alpha1.StampAnnotation && !spec.Adopt &&
		spec.OnConflict.Container == v1alpha1.ContainerError {
		p.reportUnstamped(m, finding.Warning, "it is as the injector wants it, and has no stamp by which it could be updated or removed; "+
			"if it is not the app's own, set spec.adopt to true")
	}
}
