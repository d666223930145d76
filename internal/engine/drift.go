package engine

import (
	"slices"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/podtemplate"
	"pillion.dev/pillion/internal/stamp"
	"pillion.dev/pillion/internal/yaml/node"
)

// settleDrifts says what a person has changed since it was injected, and does with it what the
// config says.
func (p *pod) settleDrifts() {
	if len(p.undone.Drifts) == 0 {
		return
	}
	view, fields := stamp.NewView(p.candidate.Template.In(p.work.changed).Node), stamp.NewView(p.candidate.Template.Node)
	var kept []stamp.Drift
	for _, d := range p.undone.Drifts {
		if !isOverwritten(view, d) {
			continue
		}
		in := p.injectorOf(d.Owner)
		c := p.changeBy(view, d)
		f := Finding{
			Severity: Warning, Code: finding.Drifted, Injector: in.Name, Message: c.found + ", and " + c.becomes,
			Field: &finding.Field{Path: p.candidate.Template.At(fields.FieldOf(d)), Current: c.is, Proposed: c.wanted},
		}
		switch {
		case in.Spec.OnDrift == v1alpha1.DriftError:
			f.Severity = Error
			f.Message = c.found + ", and would " + c.wouldBecome + " (spec.onDrift: Error); " + c.waysOut()
		case in.Spec.OnDrift == v1alpha1.DriftKeep && c.stays != "":
			f.Severity = Info
			f.Message = c.found + ", and " + c.stays + " (spec.onDrift: Keep)"
			kept = append(kept, d)
		}
		p.work.say(f)
	}
	before := p.candidate.Template.In(p.work.changed)
	stamp.Keep(p.candidate.Template.Own(p.work.changed).Node, p.candidate.Template.Node, kept)
	p.checkKept(before, kept)
}

// checkKept holds the pod with what a person changed against the pod as the injectors made it: a container that somebody made
// privileged is subject to the same checks as one that an injector brings so.
func (p *pod) checkKept(before podtemplate.Template, kept []stamp.Drift) {
	owners := map[string]bool{}
	for _, d := range kept {
		owners[d.Owner] = true
	}
	for _, m := range p.made {
		in := p.work.run.injectors[m.which]
		if !owners[stamp.Key(in.Name)] {
			continue
		}
		for _, f := range p.work.checkWhole(m.which, before, p.candidate.Template.In(p.work.changed)) {
			f.Injector = in.Name
			f.Message += "; a change by hand, which stays, made it so (spec.onDrift: Keep)"
			p.work.say(f)
		}
	}
}

// change is what a person did, and what becomes of it, in words.
type change struct {
	found, becomes, wouldBecome string
	stays                       string // empty where there is nothing for it to stay in
	is, wanted                  string
}

func (c change) waysOut() string {
	if c.stays == "" {
		return "undo that change, or set spec.onDrift to Overwrite"
	}
	return "undo that change or put it into the config, or set spec.onDrift to Overwrite or Keep"
}

func (p *pod) changeBy(view *stamp.View, d stamp.Drift) change {
	entry := view.At(d.Path, d.Key)
	is, wanted := valueOf(d.Present, d.Field), valueOf(entry, d.Field)
	name := driftedThing(d)
	found := name + " was changed by hand: it is " + node.Brief(is)
	if p.isAddition(d) {
		found = name + " was added by hand: it is " + node.Brief(is)
	}
	switch {
	case d.Foreign:
		return change{found: name + " has nothing of what was injected by that name", becomes: "is taken for the app's own", wouldBecome: "be taken for the app's own"}
	case d.Lost:
		const fate = " the injector's no more; where it was renamed, look through what it was given"
		return change{found: name + " was taken out or renamed by hand", becomes: "what was put into it is" + fate, wouldBecome: "make what was put into it" + fate}
	case node.IsNull(is):
		return change{found: name + " was taken out by hand", becomes: "comes back", wouldBecome: "come back", stays: "stays out", wanted: node.Brief(wanted)}
	case entry == nil:
		const why = ", because the injector no longer brings it"
		return change{found: found, becomes: "goes" + why, wouldBecome: "go" + why, is: node.Brief(is)}
	case node.IsNull(wanted):
		return change{found: found, becomes: "goes", wouldBecome: "go", stays: "stays", is: node.Brief(is)}
	default:
		return change{
			found: found, becomes: "becomes " + node.Brief(wanted), wouldBecome: "become " + node.Brief(wanted),
			stays: "stays, instead of becoming " + node.Brief(wanted), is: node.Brief(is), wanted: node.Brief(wanted),
		}
	}
}

// isAddition tells whether a person added a field of a container that the injector did not bring.
func (p *pod) isAddition(d stamp.Drift) bool {
	for _, o := range p.plan.undo {
		if o.Key == d.Owner && d.Field != "" {
			_, brought := o.Added[d.Path][d.Key].Fields[d.Field]
			return !brought
		}
	}
	return false
}

// isOverwritten tells whether what a person changed comes out otherwise in a version of the template.
func isOverwritten(view *stamp.View, d stamp.Drift) bool {
	wanted := view.At(d.Path, d.Key)
	return d.Lost || d.Foreign || !node.Equal(valueOf(d.Present, d.Field), valueOf(wanted, d.Field))
}

// isKept tells whether a field of something injected, or the whole, is as a person made it.
func (p *pod) isKept(which int, path, key, field string) bool {
	in := p.work.run.injectors[which]
	return in.Spec.OnDrift == v1alpha1.DriftKeep && p.driftIndex().fields[driftAt{stamp.Key(in.Name), stamp.Thing{Path: path, Key: key}, field}]
}

// isLost tells whether something was not taken out: it went with the container that it was put into,
// or is another by the same name.
func (p *pod) isLost(which int, path, key string) bool {
	owner, drifts := stamp.Key(p.work.run.injectors[which].Name), p.driftIndex()
	return drifts.foreign[driftAt{owner, stamp.Thing{Path: path, Key: key}, ""}] || drifts.lost[driftAt{owner, stamp.ContainerOf(path), ""}]
}

// driftAt is where something of an injector's was changed, by the key of its stamp.
type driftAt struct {
	owner string
	stamp.Thing
	field string
}

// driftIndex finds what was changed by its place: there may be thousands.
type driftIndex struct{ fields, lost, foreign map[driftAt]bool }

func (p *pod) driftIndex() *driftIndex {
	if p.drifts != nil {
		return p.drifts
	}
	p.drifts = &driftIndex{map[driftAt]bool{}, map[driftAt]bool{}, map[driftAt]bool{}}
	for _, d := range p.undone.Drifts {
		at := driftAt{d.Owner, stamp.Thing{Path: d.Path, Key: d.Key}, d.Field}
		p.drifts.fields[at] = true
		switch {
		case d.Lost:
			p.drifts.lost[at] = true
		case d.Foreign:
			p.drifts.foreign[at] = true
		}
	}
	return p.drifts
}

func valueOf(entry *yaml.Node, field string) *yaml.Node {
	if field == "" {
		return entry
	}
	return node.Get(entry, field)
}

func (p *pod) injectorOf(key string) *injector.Injector {
	at := slices.IndexFunc(p.work.run.injectors, func(in *injector.Injector) bool { return stamp.Key(in.Name) == key })
	return p.work.run.injectors[at]
}
