package engine

import (
	"slices"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/injector"
	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/core/wording"
	pods "pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
	"pillion.dev/pillion/internal/work/meter"
)

// reportForeign reports the containers that injectors of the run leave alone only because the stamp of another one
// names them. Anybody can write such a stamp, so whoever reads the report must be able to see what it keeps the
// injectors from.
func (c *change) reportForeign() {
	for _, other := range c.todo.others {
		for _, at := range other.Addresses() {
			if !stamp.IsContainers(at.Path) {
				c.reportForeignPart(other, at)
				continue
			}
			_, isInjected := c.injectedNames()[at.Key]
			container := c.viewBefore().At(at.Path, at.Key)
			if isInjected || container == nil || !c.workload.run.meter.Charge(node.Weight(container)) {
				continue
			}
			// In a cluster, the API server has added to what was injected.
			isMatching := c.workload.run.isLive || other.Changes[at].IsOf(at, container)
			isOfRun := c.workload.run.injectorByStampKey[other.Key] != nil // such as one that is paused
			if isMatching && isOfRun {
				continue
			}
			f := newForeign(at.Key, other.Key, isMatching)
			f.Field = c.annotation(other.Key)
			for _, m := range c.todo.inject {
				if c.isFor(m.injector, stamp.AddressOf(at.Path).Key, at.Key) {
					c.report(m, f)
				}
			}
		}
	}
}

// reportForeignPart reports something that is in a container of the app, or a volume, and that injectors of the run do
// not take from the app because the stamp of another one names it, although it does not match.
func (c *change) reportForeignPart(other stamp.Owner, at stamp.Address) {
	isOfApp := stamp.ContainerOf(at.Path) != stamp.Address{} || at.Path == pods.InSpec("volumes").Path
	present := c.viewBefore().At(at.Path, at.Key)
	isMatching := present != nil && other.Changes[at].IsOf(at, present)
	if !isOfApp || c.workload.run.isLive || isMatching || other.IsJoined(at) { // the parts are compared one by one
		return
	}
	for _, m := range c.todo.inject {
		if takesFromApp(m.injector) {
			c.report(m, newFinding(finding.Warning, finding.ForeignStamp, c.annotation(other.Key),
				"%s is not treated as the app's, because the stamp %s says that the injector %q added it, and its "+
					"fingerprint does not match: somebody has changed it, or forged the stamp; run the config of that "+
					"injector again, or remove the annotation if there is none",
				wording.EntryName(at.Path, at.Key), other.Key, stamp.NameOf(other.Key)))
		}
	}
}

// takesFromApp reports whether a container of an injector gets something from containers of the app.
func takesFromApp(in *injector.Injector) bool {
	takes := func(c injector.Container) bool {
		shares := c.ShareVolumePolicy != nil || c.ShareVolumeDevicePolicy != nil
		return shares || len(c.TransferEnv) > 0 || c.Resources != nil
	}
	return in.RefersToApp() || slices.ContainsFunc(in.Containers, takes) ||
		slices.ContainsFunc(in.InitContainers, takes)
}

func newForeign(container, key string, isMatching bool) finding.Finding {
	const leaves = "container %q is not treated as the app's, because the stamp %s says that the injector %q added it"
	if isMatching {
		return newFinding(finding.Info, finding.ForeignStamp, nil,
			leaves+"; if there is no such injector, remove the annotation", container, key, stamp.NameOf(key))
	}
	return newFinding(finding.Warning, finding.ForeignStamp, nil,
		leaves+", and its fingerprint does not match: somebody has changed the container, or forged the stamp; "+
			"run the config of that injector again, or remove the annotation if there is none",
		container, key, stamp.NameOf(key))
}

// isFor reports whether an injector would add something to a container if it were the app's, or take something from it.
func (p *pod) isFor(in *injector.Injector, list, name string) bool {
	if !p.workload.run.meter.Charge(meter.PerDecision) {
		return false
	}
	isMain := list == pods.Main
	gets := func(rule injector.AppContainers) bool { return rule.Includes(name) && (isMain || rule.IncludeInit) }
	shares := func(policy *v1alpha1.ShareVolumePolicy) bool {
		if policy == nil || policy.Type != v1alpha1.ShareEnabled {
			return false
		}
		return slices.Contains(policy.Containers, name) || isMain && len(policy.Containers) == 0
	}
	gives := func(to injector.Container) bool {
		isCounted := isMain && to.Resources != nil && p.workload.run.meter.Charge(to.Resources.Names.Steps(name)) &&
			to.Resources.Names.MatchString(name)
		return isCounted || shares(to.ShareVolumePolicy) || shares(to.ShareVolumeDevicePolicy)
	}
	return slices.ContainsFunc(in.AppContainers, gets) || slices.ContainsFunc(in.Containers, gives) ||
		slices.ContainsFunc(in.InitContainers, gives)
}
