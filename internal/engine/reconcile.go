package engine

import (
	"maps"
	"slices"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/podtemplate"
	"pillion.dev/pillion/internal/selection"
	"pillion.dev/pillion/internal/stamp"
	"pillion.dev/pillion/internal/yaml/node"
	"pillion.dev/pillion/internal/yaml/splice"
	"pillion.dev/pillion/transformers"
)

// reconcile brings one pod template to what the config says: what the run's injectors put in
// before goes out, in memory, and what they want now goes in. What comes out the same keeps its
// text and its place.
func (w *workload) reconcile(c selection.Candidate) {
	plan := w.planFor(&c)
	p := pod{work: w, candidate: c, plan: plan}
	if len(p.plan.inject)+len(p.plan.remove) == 0 {
		return
	}
	w.copy()
	template := c.Template.Own(w.changed).Node
	p.undone = stamp.Undo(template, p.plan.undo, p.plan.others)
	p.work.keepTexts(p.undone, template)
	p.bared = p.candidate.Template.In(w.changed)
	for _, which := range p.plan.inject {
		p.bring(which)
	}
	if finding.HasError(w.outcome.findings) {
		return
	}
	p.sayDangling()
	p.settleDrifts()
	p.checkContainers()
	p.checkUndone()
	if finding.HasError(w.outcome.findings) {
		return
	}
	p.finish()
}

// pod is one pod template on its way.
type pod struct {
	work      *workload
	candidate selection.Candidate
	plan      plan

	undone stamp.Undone
	bared  podtemplate.Template // without what the run's stamps name
	made   []made
	moved  map[string]map[string]bool // what has changed places in lists, by path and key
	drifts *driftIndex                // nil until it is needed, as is the next
	// addedByOthers are the injectors of other runs by what they have put in.
	addedByOthers map[stamp.Thing][]string
}

// made is what one injector did to the pod template.
type made struct {
	which   int
	stamp   *stamp.Stamp
	changes []string
	has     func(container string) bool // whether it is in the pod, as the injector wants it
}

// keepTexts remembers how nodes of a template were written that came back out of stamps.
func (w *workload) keepTexts(of stamp.Undone, template *yaml.Node) {
	if w.texts == nil {
		w.texts, w.below = map[*yaml.Node]string{}, map[*yaml.Node]int{}
	}
	maps.Copy(w.texts, of.Texts(template))
	maps.Copy(w.below, of.Below)
}

// keepGrown keeps how something of the app's was written that came back out of a stamp and got
// something more. Where that cannot be done, it is written anew.
func (p *pod) keepGrown(template *yaml.Node) {
	for _, g := range p.undone.Grown(template) {
		if text, err := splice.Splice([]byte(g.Text), g.Before, g.After); err == nil {
			p.work.texts[g.Node] = string(text)
		}
	}
}

// bring brings one injector's payload into the changed version.
func (p *pod) bring(which int) {
	in := p.work.run.injectors[which]
	before := p.candidate.Template.In(p.work.changed)
	applied, met := p.apply(which, p.work.changed, before)
	if !finding.HasError(met) && len(applied.Changes()) > 0 {
		met = append(met, p.work.checkWhole(which, before, applied.Template)...)
	}
	var own *stamp.Stamp
	if !p.alone() {
		var refused []Finding
		own, refused = p.onItsOwn(which, before)
		clashes := p.clashes(which, own)
		switch {
		case len(refused) == 0:
			met = p.nameOthers(met, len(clashes) > 0)
		case !finding.HasError(met):
			met = append(met, p.hidden(refused)...)
		}
		met = append(met, clashes...)
	}
	for _, f := range met {
		f.Injector = in.Name
		p.work.say(f)
	}
	if finding.HasError(met) {
		return
	}
	s := p.record(which, before.Node, applied)
	s.Share(own, applied.Node)
	s.MarkContainers(applied.Mark)
	s.Asked = !s.Empty() && p.candidate.Waits(in.Name)
	p.work.outcome.injected = true
	p.work.done = append(p.work.done, which)
	p.made = append(p.made, made{which, s, applied.Changes(), applied.Has})
}

// apply brings a payload into a version of the workload. Its variables say what the template seen says.
func (p *pod) apply(which int, version *yaml.Node, seen podtemplate.Template) (*transformers.Pod, []Finding) {
	applied := &transformers.Pod{
		Template:       p.candidate.Template.Own(version),
		Finishes:       p.candidate.Finishes(),
		Knative:        p.work.kind.Knative,
		Partial:        p.work.kind.Optional,
		ClaimTemplates: podtemplate.ClaimTemplates(p.work.original),
		Brought:        p.broughtTo(injector.Subject{Object: p.work.object, Template: p.candidate.Template}),
		Pristine:       p.pristine,
	}
	applied.SelectorLabels, applied.LabelsAreSelector = p.selectorLabels()
	payload, met := p.work.run.injectors[which].For(injector.Subject{Object: p.work.object, Template: seen})
	if !finding.HasError(met) {
		met = append(met, transformers.Apply(applied, payload)...)
	}
	return applied, met
}

// selectorLabels are the keys of the labels that the workload's selector looks at. Where the API server
// takes the labels of the pod template for the selector, those count that no injector has put in.
func (p *pod) selectorLabels() (keys []string, areAll bool) {
	if !p.candidate.Template.LabelsAreSelector(p.work.original, p.work.object.APIVersion, p.work.object.Kind) {
		return p.candidate.Template.SelectorLabels(p.work.original), false
	}
	return node.Keys(node.Get(p.pristine(), "metadata", "labels")), true
}

// record is what an injector did.
func (p *pod) record(which int, before *yaml.Node, after *transformers.Pod) *stamp.Stamp {
	return stamp.Record(before, after.Node, p.written, p.work.run.injectors[which].MergedAnnotations()...)
}

// alone tells whether no other injector has to do with the pod template.
func (p *pod) alone() bool { return len(p.plan.inject) == 1 && len(p.plan.others) == 0 }

// onItsOwn is what an injector would do to the pod template if there were no other, or why it would not go in.
func (p *pod) onItsOwn(which int, seen podtemplate.Template) (own *stamp.Stamp, refused []Finding) {
	version := node.Clone(p.work.bareVersion().object)
	before := p.candidate.Template.In(version)
	applied, met := p.apply(which, version, seen)
	refused = slices.DeleteFunc(met, func(f Finding) bool { return f.Severity != Error })
	if len(refused) > 0 {
		return nil, refused
	}
	return p.record(which, before.Node, applied), nil
}

// finish writes the stamps and makes the changed version out of the nodes of the original, as far
// as they are the same.
func (p *pod) finish() {
	target := &transformers.Pod{Template: p.candidate.Template.Own(p.work.changed)}
	var now []stamp.Owner
	for _, m := range p.made {
		in := p.work.run.injectors[m.which]
		if m.stamp.Empty() {
			continue
		}
		now = append(now, stamp.Owner{Key: stamp.Key(in.Name), Stamp: m.stamp})
		if in.Spec.Stamp == v1alpha1.StampAnnotation {
			p.sign(target, stamp.Key(in.Name), m.stamp)
		}
	}
	p.checkAnnotations(target.Template, now)
	if finding.HasError(p.work.outcome.findings) {
		return
	}
	if len(p.plan.undo) == 0 {
		p.sayOutcomes()
		p.work.touched = p.work.touched || p.changes()
		return
	}
	p.work.keepTexts(p.undone, target.Node)
	p.keepGrown(target.Node)
	rebased := stamp.Rebase(p.candidate.Template.Node, target.Node, p.plan.undo, now, p.plan.others)
	p.moved = movedBetween(p.candidate.Template.Node, rebased, now)
	p.sayOutcomes()
	p.work.touched = p.work.touched || rebased != p.candidate.Template.Node
	*target.Node = *node.Clone(rebased) // the original must not change with it
}

// changes tells whether any injector does anything to the pod template.
func (p *pod) changes() bool {
	return slices.ContainsFunc(p.made, func(m made) bool { return len(m.changes) > 0 || !m.stamp.Empty() })
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
