package engine

import (
	"slices"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/meter"
	pods "pillion.dev/pillion/internal/pod"
	"pillion.dev/pillion/internal/stamp"
	"pillion.dev/pillion/internal/yaml/node"
)

// foreignContainer is a container that no injector which selects the pod has, and that is not the app's because a stamp
// names it. Anybody can write such a stamp, so whoever reads the report must be able to see what it keeps the injectors
// from.
type foreignContainer struct {
	list, name string
	key        string // of the stamp
	isMatching bool   // whether it has the fingerprint in the stamp
}

// foreignContainers returns the containers of the pod template that only the stamps of others name.
func (p *pod) foreignContainers() (all []foreignContainer) {
	for _, other := range p.plan.others {
		for _, at := range other.Addresses() {
			if !stamp.IsContainers(at.Path) {
				continue
			}
			_, isInjected := p.injectedNames()[at.Key]
			container := p.viewBefore().At(at.Path, at.Key)
			if isInjected || container == nil || !p.work.run.meter.Charge(node.Weight(container)) {
				continue
			}
			all = append(all, foreignContainer{
				list: stamp.AddressOf(at.Path).Key,
				name: at.Key,
				key:  other.Key,
				// The API server adds to what was injected.
				isMatching: p.work.run.isLive || other.Changes[at].IsOf(at, container),
			})
		}
	}
	return all
}

// reportForeign reports the containers that injectors of the run leave alone, although they would be for them if these
// were the app's.
func (p *pod) reportForeign() {
	all := p.foreignContainers()
	for _, m := range p.plan.inject {
		for _, c := range all {
			if p.isFor(m.injector, c) {
				p.report(m, c.finding(p.annotation(c.key)))
			}
		}
	}
}

func (c foreignContainer) finding(at *finding.Field) finding.Finding {
	const leaves = "container %q is not treated as the app's, because the stamp %s says that the injector %q added it"
	injector := stamp.NameOf(c.key)
	if c.isMatching {
		return newFinding(finding.Info, finding.ForeignStamp, at,
			leaves+"; if there is no such injector, remove the annotation", c.name, c.key, injector)
	}
	return newFinding(finding.Warning, finding.ForeignStamp, at,
		leaves+", and its fingerprint does not match: somebody has changed the container, or forged the stamp; "+
			"run the config of that injector again, or remove the annotation if there is none", c.name, c.key, injector)
}

// isFor reports whether an injector adds something to a container of the app, or takes something from it.
func (p *pod) isFor(in *injector.Injector, c foreignContainer) bool {
	if !p.work.run.meter.Charge(meter.PerDecision) {
		return false
	}
	isMain := c.list == pods.Main
	gets := func(rule injector.AppContainers) bool { return rule.For(c.name) && (isMain || rule.IncludeInit) }
	shares := func(policy *v1alpha1.ShareVolumePolicy) bool {
		if policy == nil || policy.Type != v1alpha1.ShareEnabled {
			return false
		}
		return slices.Contains(policy.Containers, c.name) || isMain && len(policy.Containers) == 0
	}
	gives := func(to injector.Container) bool {
		isCounted := isMain && to.Resources != nil && p.work.run.meter.Charge(to.Resources.Names.Steps(c.name)) &&
			to.Resources.Names.MatchString(c.name)
		return isCounted || shares(to.ShareVolumePolicy) || shares(to.ShareVolumeDevicePolicy)
	}
	return slices.ContainsFunc(in.AppContainers, gets) || slices.ContainsFunc(in.Containers, gives) ||
		slices.ContainsFunc(in.InitContainers, gives)
}
