package engine

import (
	"maps"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/core/version"
	"pillion.dev/pillion/internal/core/wording"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// Rollout reports whether an injector is rolled out to a workload of a source. The error is why that cannot be decided.
type Rollout func(injector string, source Origin, object *finding.Object, workload *node.Node) (bool, error)

// Origin is where a workload comes from: a file, or the directory of a kustomization that was built. Both are empty if
// that is not known.
type Origin struct{ File, Root string }

// RollingOut returns the config with injectors that are not for all of their workloads yet. For a workload that one of
// them is not rolled out to, that injector is not part of the run: what it injected before stays as it is, as that of
// any other run. Somebody's changes to it are reported.
func (c Config) RollingOut(includes Rollout) Config {
	c.includes = includes
	return c
}

// RollsOut reports whether some injectors may not be for all of their workloads yet.
func (c Config) RollsOut() bool { return c.includes != nil }

// BuiltFrom returns the config for what the kustomization in a directory builds.
func (c Config) BuiltFrom(root string) Config {
	c.root = root
	return c
}

// notRolledOut returns the injectors that are not rolled out to a workload.
func (r *run) notRolledOut(file string, object *finding.Object, workload *node.Node) ([]*runInjector, error) {
	if r.includes == nil {
		return nil, nil
	}
	var waiting []*runInjector
	for _, m := range r.readyInjectors {
		isIn, err := r.includes(m.injector.Name, Origin{file, r.root}, object, workload)
		if err != nil {
			return nil, err
		}
		if !isIn {
			waiting = append(waiting, m)
		}
	}
	return waiting, nil
}

// without returns the run without some injectors. The others keep their indexes among the outcomes.
func (r *run) without(waiting []*runInjector) *run {
	if len(waiting) == 0 {
		return r
	}
	isOut := map[*runInjector]bool{}
	for _, m := range waiting {
		isOut[m] = true
	}
	rest := *r
	rest.readyInjectors = nil
	rest.injectors = nil
	rest.injectorByStampKey = map[string]*runInjector{}
	rest.injected = nil
	for _, m := range r.readyInjectors {
		if !isOut[m] {
			rest.readyInjectors = append(rest.readyInjectors, m)
			rest.injectors = append(rest.injectors, m.injector)
			rest.injectorByStampKey[m.key] = m
		}
	}
	return &rest
}

// isMeant reports whether an injector would do something about a pod template, or has done so before.
func (f facts) isMeant() bool {
	return !f.isRemoval && f.decision.Inject || f.oldStamp != nil || f.stampErr != nil
}

// reportNotRolledOut reports an injector that is not rolled out to the pod template, and what somebody has changed of
// what it injected before. For what all workloads of the config are to have, the pod counts as one that has it.
func (p *pod) reportNotRolledOut(f facts) {
	o := &p.workload.outcomes[f.index]
	o.Reason = finding.NotRolledOut
	o.HasSidecar = true
	message := "it is not rolled out to this workload yet"
	if f.oldStamp != nil {
		message += ", and what was injected before stays as it is"
	}
	p.report(f.runInjector, newFinding(finding.Info, finding.NotRolledOut, p.podSpec(), "%s", message))
	if f.stampErr != nil {
		p.report(f.runInjector, newFinding(finding.Warning, finding.StampBroken, p.annotation(f.key),
			"the stamp %s is not valid: %v; it is not rolled out here, so restore it from version control",
			f.key, f.stampErr))
	}
	if f.oldStamp == nil || p.template.Broken != nil {
		return
	}
	for _, d := range p.changedByHand(f.runInjector, f.oldStamp) {
		at := &finding.Field{Path: p.template.At(p.viewBefore().FieldOf(d.Address, ""))}
		p.report(f.runInjector, newFinding(finding.Warning, finding.Drifted, at,
			"%s was changed by hand, and the injector is not rolled out here; undo that change, or roll it out to this "+
				"workload", wording.EntryName(d.Path, d.Key)))
	}
}

// changedByHand returns what somebody has changed of what an injector added, by undoing its stamp in a copy.
func (p *pod) changedByHand(m *runInjector, own *stamp.Stamp) []version.Drift {
	others := maps.Clone(p.stamps.stamps)
	delete(others, m.key)
	_, object := p.workload.memory.clones.OwnDocument(p.workload.document)
	template := p.template.Own(object, &p.workload.memory.clones).Node
	return version.Undo(template, []stamp.Owner{{Key: m.key, Stamp: own}}, p.ownersOf(others), nil).Drifts
}
