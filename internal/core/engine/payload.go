package engine

import (
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/injector"
	"pillion.dev/pillion/internal/core/apply"
	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/core/version"
	pods "pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
	"pillion.dev/pillion/internal/work/meter"
)

// addPayload adds one injector's payload to the version under change.
func (c *change) addPayload(m *runInjector) {
	if !c.workload.run.meter.Charge(meter.PerInjection + len(c.injections)*meter.PerEarlier + len(c.workload.item.Text)) {
		return
	}
	before := c.version().Snapshot(&c.workload.memory.clones)
	app := before
	app.Node = c.appTemplate()
	subject := c.appAs(app)
	wanted, findings := c.want(m, subject, before)
	c.workload.added = subject.Room.Taken()
	if wanted.MayWarn() {
		c.lateWarnings = append(c.lateWarnings, lateWarnings{m, wanted})
	}
	did := injection{by: m, before: before, owners: c.owners().Count(), failed: finding.HasError(findings)}
	c.injections = append(c.injections, did)
	own := c.ledgerOf(m, wanted.Entries)
	s := own.Stamp
	if c.owners().Count() > 0 {
		was := c.workload.newView(before.Node)
		did.shared = c.shared(s, was)
		findings = append(findings, c.conflicts(c.owners().Clashes(own, was, c.workload.run.isLive))...)
	}
	if !finding.HasError(findings) {
		findings = append(findings, c.versionToChange().With(own.Entries)...)
	}
	findings = append(findings, c.kindLimits(own)...)
	c.reportAll(m, findings)
	if finding.HasError(findings) {
		return
	}
	s.CopyLayouts(c.stamps.stamps[m.key])
	did.stamp = s
	did.has = wanted.Has
	c.placed = version.AppendPlaced(c.placed, own.Entries)
	c.injections[len(c.injections)-1] = did
	if m != c.todo.inject[len(c.todo.inject)-1] {
		c.owners().Add(own)
	}
}

// shared returns what of a stamp others had put in already.
func (c *change) shared(s *stamp.Stamp, before *stamp.View) map[stamp.Address]bool {
	all := map[stamp.Address]bool{}
	for _, at := range s.Addresses() {
		if c.owners().Has(at) && before.At(at.Path, at.Key) != nil {
			all[at] = true
		}
	}
	return all
}

// versionToChange returns the version under change for what one more injector wants.
func (c *change) versionToChange() version.Version {
	return version.Version{
		Template: c.ownVersion(),
		App:      c.appView(),
		Before:   c.viewBefore(),
		Owners:   c.owners(),
		Index:    &c.index,
		Clones:   &c.workload.memory.clones,
	}
}

// order puts the lists of the version in order, once all injectors have put in what they want.
func (c *change) order() {
	if len(c.placed) == 0 {
		return
	}
	order := &version.Order{
		File:   c.viewBefore(),
		App:    c.appView(),
		Undone: c.todo.undo,
		Now:    c.stampsNow(),
		Others: c.todo.others,
	}
	c.versionToChange().Order(order, c.placed)
	c.index = version.Index{}
}

// stampsNow returns the stamps of what the injectors of the run put in.
func (c *change) stampsNow() (all []stamp.Owner) {
	for _, injection := range c.injections {
		if injection.stamp != nil && !injection.stamp.Empty() {
			all = append(all, stamp.Owner{Key: injection.by.key, Stamp: injection.stamp})
		}
	}
	return all
}

// want returns what an injector wants of the app. The values of the payload's variables come from the template seen.
func (c *change) want(m *runInjector, app apply.App, seen pods.Template) (apply.Wanted, []finding.Finding) {
	plan, findings := c.planFor(m, c.subject(seen))
	if finding.HasError(findings) {
		return apply.Wanted{}, findings
	}
	r := c.workload.run
	if len(m.injector.PodMetadata)+len(r.before)+len(r.after) > 0 { // nothing else changes labels
		app.SelectorLabels, app.LabelsAreSelector = c.selectorLabels()
	}
	others := apply.Seen{
		Before:  seen.Node,
		Index:   &c.index,
		Owners:  c.owners(),
		Names:   c,
		Earlier: c.placed,
	}
	if c.workload.kind.IsRelease { // transformers change pods
		return apply.Want(app, plan, others, nil, nil)
	}
	wanted, more := apply.Want(app, plan, others, r.before, r.after)
	return wanted, append(findings, more...)
}

// appAs returns a pod template as the app, with what a plan depends on.
func (c *change) appAs(template pods.Template) apply.App {
	return apply.App{
		Template:       template,
		View:           c.appView(),
		Object:         c.workload.result.Object,
		Finishes:       c.candidate.Finishes(),
		Kind:           c.workload.kind,
		ClaimTemplates: pods.ClaimTemplates(c.workload.original),
		Room:           c.workload.room(),
	}
}

// selectorLabels returns the keys of the labels that the workload's selector uses. If the API server uses the labels of
// the pod template as the selector, only those count that no injector added.
func (c *change) selectorLabels() (keys []string, areAll bool) {
	object := &c.workload.result.Object
	if !c.template.LabelsAreSelector(c.workload.original, object.APIVersion, object.Kind) {
		return c.template.SelectorLabels(c.workload.original), false
	}
	return node.Keys(node.Get(c.appTemplate(), "metadata", "labels")), true
}

// hashes returns the hashes of what an injector adds to the pod.
func (p *pod) hashes(m *runInjector) stamp.Hashes {
	hashes := m.hashes
	hashes.Declared = p.declared(m)
	return hashes
}

// planFor returns the plan of an injector for the pod.
func (p *pod) planFor(m *runInjector, subject injector.Subject) (*injector.Plan, []finding.Finding) {
	if p.workload.kind.IsRelease {
		return m.release, nil
	}
	values, findings := m.injector.ValuesFor(subject)
	if finding.HasError(findings) {
		return m.plan, findings
	}
	return m.plan.With(values), findings
}
