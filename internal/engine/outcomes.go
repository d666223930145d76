package engine

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/stamp"
)

// sayOutcomes says of each injector what it did to the pod template.
func (p *pod) sayOutcomes() {
	for _, m := range p.made {
		f := p.outcomeOf(m)
		f.Severity, f.Field, f.Injector = Info, specOf(p.Candidate), p.injectors[m.which].Name
		p.say(f)
		if f.Code == finding.Unchanged && p.before(m.which) == nil {
			p.wantsAdopting(p.injectors[m.which])
		}
	}
	for _, r := range p.remove {
		words := p.changesBetween(r.which, p.before(r.which), &stamp.Stamp{})
		f := Finding{Severity: Info, Code: finding.Removed, Message: strings.Join(words, ", ") + ": " + r.reason, Field: specOf(p.Candidate), Injector: p.injectors[r.which].Name}
		switch {
		case len(words) == 0 && p.before(r.which) != nil:
			f.Message = "takes its stamp out: " + r.reason
		case len(words) == 0:
			f.Code, f.Message = finding.NothingToRemove, "it has nothing of this injector's"
		}
		p.say(f)
	}
}

// outcomeOf is what an injector did, held against what it had done before.
func (p *pod) outcomeOf(m made) Finding {
	old := p.before(m.which)
	switch {
	case old == nil && len(m.changes) > 0:
		return Finding{Code: finding.Injected, Message: strings.Join(m.changes, ", ")}
	case old == nil && !m.stamp.Empty():
		return Finding{Code: finding.Injected, Message: "shares " + strings.Join(things(m.stamp), ", ") + " with other injectors"}
	case old == nil:
		return Finding{Code: finding.Unchanged, Message: nothingToChange}
	}
	in := p.injectors[m.which]
	words := p.changesBetween(m.which, old, m.stamp)
	if p.isAdopted(in) {
		return Finding{Code: finding.Injected, Message: strings.Join(append(adopts(old), words...), ", ")}
	}
	view := stamp.NewView(p.Template.In(p.changed).Node)
	for _, d := range p.undone.Drifts {
		isSetBack := in.Spec.OnDrift == v1alpha1.DriftOverwrite && isOverwritten(view, d)
		if d.Owner == stamp.Key(in.Name) && isSetBack && m.stamp.Adds(d.Path, d.Key) && !isUpdated(old, m.stamp, d) {
			words = append(words, "sets back "+driftedThing(d))
		}
	}
	if in.Spec.Stamp == v1alpha1.StampNone {
		words = append(words, "takes its stamp out")
	}
	switch {
	case len(words) > 0:
		return Finding{Code: finding.Updated, Message: strings.Join(words, ", ")}
	case m.stamp.Empty() && !old.Empty():
		return Finding{Code: finding.Updated, Message: "takes its stamp out"}
	case old.String() != m.stamp.String():
		return Finding{Code: finding.Updated, Message: "updates its stamp"}
	default:
		return Finding{Code: finding.Unchanged, Message: nothingToChange}
	}
}

// isUpdated tells whether the config gives a new value to what a person changed, which is said anyway.
func isUpdated(old, now *stamp.Stamp, d stamp.Drift) bool {
	was, is := old.Added[d.Path][d.Key], now.Added[d.Path][d.Key]
	if d.Field != "" {
		return was.Fields[d.Field] != is.Fields[d.Field]
	}
	return slices.Contains(was.Changed(is), "")
}

// wantsAdopting tells of a sidecar that is as the injector wants it and has no stamp: it would stay so for ever,
// and be a conflict once the config changes.
func (p *pod) wantsAdopting(in *injector.Injector) {
	if in.Kind == "" && in.Spec.Stamp == v1alpha1.StampAnnotation && !in.Spec.Adopt && in.Spec.OnConflict.Container == v1alpha1.ContainerError {
		p.sayUnstamped(Warning, p.Candidate, in, "it is as the injector wants it, and has no stamp to update or remove it by; if it is not the app's own, set spec.adopt to true")
	}
}

// before is the stamp that an injector had left, or nil.
func (p *pod) before(which int) *stamp.Stamp {
	for _, o := range p.undo {
		if o.Key == stamp.Key(p.injectors[which].Name) {
			return o.Stamp
		}
	}
	return nil
}

// changesBetween is what became of what an injector put in, in a few words each.
func (p *pod) changesBetween(which int, old, now *stamp.Stamp) []string {
	var words []string
	back, isBack := p.restoredBy(which), map[stamp.Thing]bool{}
	for _, t := range back {
		isBack[t] = true
	}
	for _, path := range sortedKeys(now.Added) {
		for _, key := range sortedKeys(now.Added[path]) {
			is := now.Added[path][key]
			was, known := old.Added[path][key]
			fields := slices.DeleteFunc(was.Changed(is), func(field string) bool { return p.isKept(which, path, key, field) })
			switch {
			case !known:
				words = append(words, "adds "+thing(path, key))
			case len(fields) > 0:
				words = append(words, "updates "+fieldsOf(fields, path, key))
			case was.Place != is.Place || p.moved[path][key]:
				words = append(words, "moves "+thing(path, key))
			}
		}
	}
	for _, path := range sortedKeys(old.Added) {
		for _, key := range sortedKeys(old.Added[path]) {
			if now.Adds(path, key) || p.isLost(which, path, key) {
				continue
			}
			if owners := p.othersOf(which, path, key); len(owners) > 0 {
				words = append(words, "leaves "+thing(path, key)+" to "+strings.Join(owners, ", "))
				continue
			}
			if !isBack[stamp.Thing{Path: path, Key: key}] {
				words = append(words, "removes "+thing(path, key))
			}
		}
	}
	for _, t := range back {
		words = append(words, "restores "+thing(t.Path, t.Key))
	}
	return words
}

// movedBetween is what of the owners' things has changed places in lists of a template.
func movedBetween(before, after *yaml.Node, owners []stamp.Owner) map[string]map[string]bool {
	if before == after {
		return nil
	}
	moved := map[string]map[string]bool{}
	were, are := stamp.NewView(before), stamp.NewView(after)
	for _, o := range owners {
		for path := range o.Added {
			if moved[path] == nil {
				moved[path] = stamp.Moved(were, are, path)
			}
		}
	}
	return moved
}

// othersOf are the other injectors that have put something in, too.
func (p *pod) othersOf(which int, path, key string) []string {
	var names []string
	for _, m := range p.made {
		if m.which != which && m.stamp.Adds(path, key) {
			names = append(names, p.injectors[m.which].Name)
		}
	}
	if p.addedByOthers == nil {
		p.addedByOthers = map[stamp.Thing][]string{}
		for _, o := range p.others {
			for _, t := range o.Things() {
				p.addedByOthers[t] = append(p.addedByOthers[t], stamp.NameOf(o.Key))
			}
		}
	}
	return append(names, p.addedByOthers[stamp.Thing{Path: path, Key: key}]...)
}
