package apply

import (
	"slices"

	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/core/version"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
	"pillion.dev/pillion/internal/work/meter"
)

// Names tells which names of containers are those of injectors.
type Names interface {
	// IsNamed reports whether a stamp of the pod, or an injector of the run that selects it, has a container of a name.
	IsNamed(container string) bool
}

// isOfRun reports whether this injector, or one before it in the run, wants something.
func (p *Pod) isOfRun(at stamp.Address) bool {
	if p.Owners.IsWantedByRun(at) {
		return true
	}
	return p.Room.Charge(len(p.Entries)*meter.PerValue) && p.Entries.Has(at)
}

// isApps reports whether a container of that name is the app's own.
func (p *Pod) isApps(name string) bool {
	return !p.plan.Has(name) && !p.Names.IsNamed(name) // a variable may have made the name
}

// isInjected reports whether an injector added the entry of a name to one of the pod spec's lists. No injector adds one
// without a name.
func (p *Pod) isInjected(list, name string) bool { return name != "" && p.appEntry(list, name) == nil }

// isAppContainer reports whether the app has a container, even if injectors add an equal one, keep it or replace it.
func (p *Pod) isAppContainer(name string) bool {
	return p.isApps(name) || p.appEntry(containers, name) != nil
}

// appContainer returns a container as the app has it, or nil. One that the injector itself replaces does not count.
func (p *Pod) appContainer(list, name string) *node.Node {
	if p.plan.Has(name) {
		return nil
	}
	return p.appEntry(list, name)
}

// hasClaimTemplate reports whether a StatefulSet adds a volume of a name.
func (p *Pod) hasClaimTemplate(name string) bool { return slices.Contains(p.ClaimTemplates, name) }

// appEntry returns the app's entry of a name in one of the pod spec's lists, without what injectors added to it, or
// nil.
func (p *Pod) appEntry(list, name string) *node.Node {
	return p.AppView.At(pod.InSpec(list).Path, name)
}

// causedByOthers is the end of a message about something that other injectors cause.
func (p *Pod) causedByOthers() string { return version.CausedBy(p.Owners) }
