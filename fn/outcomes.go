package fn

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/finding"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/node"
	"pillion.dev/pillion/internal/stamp"
)

// sayOutcomes says of each injector what it did to the pod template.
func (p *pod) sayOutcomes() {
	for _, m := range p.made {
		if !p.removes(m.which) {
			f := p.outcomeOf(m)
			f.Severity, f.Field, f.Injector = Info, specOf(p.Candidate), p.injectors[m.which].Name
			p.say(f)
		}
	}
	for _, r := range p.remove {
		in := p.injectors[r.which]
		things := p.thingsOf(r.which)
		f := Finding{Severity: Info, Code: finding.Removed, Message: "removes " + strings.Join(things, ", ") + ": " + r.reason, Field: specOf(p.Candidate), Injector: in.Name}
		if len(things) == 0 {
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
	words := changesBetween(old, m.stamp)
	for _, d := range p.undone.Drifts {
		if d.Owner == stamp.Key(p.injectors[m.which].Name) && p.injectors[m.which].Spec.OnDrift == v1alpha1.DriftOverwrite && p.isOverwritten(d) {
			words = append(words, "sets back "+driftedThing(d))
		}
	}
	switch {
	case len(words) > 0:
		return Finding{Code: finding.Updated, Message: strings.Join(words, ", ")}
	case old.String() != m.stamp.String() || p.injectors[m.which].Spec.Stamp == v1alpha1.StampNone:
		return Finding{Code: finding.Updated, Message: "updates its stamp"}
	default:
		return Finding{Code: finding.Unchanged, Message: nothingToChange}
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

// thingsOf is what goes with an injector: what it had put in, or has just adopted.
func (p *pod) thingsOf(which int) []string {
	if old := p.before(which); old != nil {
		return things(old)
	}
	var all []string
	for _, m := range p.made {
		for _, change := range m.changes {
			if adopted, ok := strings.CutPrefix(change, "adopts "); ok && m.which == which {
				all = append(all, adopted)
			}
		}
	}
	return all
}

// settleDrifts says what a person has changed since it was injected, and does with it what the
// config says.
func (p *pod) settleDrifts() {
	template := p.Template.In(p.changed).Node
	for _, d := range p.undone.Drifts {
		if !p.isOverwritten(d) {
			continue
		}
		in := p.injectorOf(d.Owner)
		is, becomes := node.Brief(valueOf(d.Present, d.Field)), node.Brief(valueOf(stamp.At(template, d.Path, d.Key), d.Field))
		if valueOf(stamp.At(template, d.Path, d.Key), d.Field) == nil {
			becomes = "nothing"
		}
		if stamp.At(template, d.Path, d.Key) == nil && d.Present != nil {
			becomes = "nothing, because all of it goes"
		}
		f := Finding{
			Severity: Warning, Code: finding.Drifted, Injector: in.Name,
			Field:   &finding.Field{Path: p.Template.At(strings.ReplaceAll(d.Path, "/", ".")), Current: is, Proposed: becomes},
			Message: driftedThing(d) + " was changed by hand: it is " + is + ", and becomes " + becomes,
		}
		if d.Present == nil {
			f.Message = driftedThing(d) + " was taken out by hand, and comes back"
			f.Field.Current = ""
		}
		switch in.Spec.OnDrift {
		case v1alpha1.DriftError:
			f.Severity = Error
			f.Message = driftedThing(d) + " was changed by hand: it is " + is + ", and would become " + becomes +
				" (spec.onDrift: Error); undo that change or put it into the config, or set spec.onDrift to Overwrite or Keep"
		case v1alpha1.DriftKeep:
			f.Severity = Info
			f.Message = driftedThing(d) + " was changed by hand, and stays " + is + ", not " + becomes + " (spec.onDrift: Keep)"
			stamp.Keep(p.Template.Own(p.changed).Node, d)
		}
		p.say(f)
	}
}

// isOverwritten tells whether what a person changed comes out otherwise.
func (p *pod) isOverwritten(d stamp.Drift) bool {
	wanted := stamp.At(p.Template.In(p.changed).Node, d.Path, d.Key)
	return !node.Equal(valueOf(d.Present, d.Field), valueOf(wanted, d.Field))
}

func valueOf(entry *yaml.Node, field string) *yaml.Node {
	if field == "" {
		return entry
	}
	return node.Get(entry, field)
}

func (p *pod) injectorOf(key string) *injector.Injector {
	at := slices.IndexFunc(p.injectors, func(in *injector.Injector) bool { return stamp.Key(in.Name) == key })
	return p.injectors[at]
}
