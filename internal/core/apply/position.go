package apply

import (
	"slices"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/injector"
	"pillion.dev/pillion/internal/core/ledger"
	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/core/version"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// leavesEnd reports whether a new entry may go somewhere else than to the end of its list.
func leavesEnd(position injector.Position) bool {
	return position.IsFront || position.Before+position.After != ""
}

// positionOf returns where a new container goes. One beside an entry of another injector in front of the app is in
// front.
func (p *Pod) positionOf(op injector.Operation, list string) injector.Position {
	position := op.Position
	neighbour := position.Before + position.After
	if neighbour == "" || !p.isAround(list, neighbour) {
		return position
	}
	position.IsFront = indexOfName(p.entries(list), neighbour) < 0 && p.leadsApp(list, neighbour)
	for _, earlier := range p.Earlier {
		if earlier.Address == stamp.InSpec(list, neighbour) {
			position.IsFront = earlier.Position.IsFront
		}
	}
	return position
}

// ordered returns the entries of one of the pod spec's lists in the order that they would have if there were no other
// injector.
func (p *Pod) ordered(name string) []*node.Node {
	l := p.list(name)
	placed := version.AppendPlaced(nil, p.Entries)
	inList := slices.DeleteFunc(slices.Clone(placed), func(one ledger.Entry) bool { return one.Path != l.at })
	return version.OrderAlone(p.View, placed).List(l.at, l.entries, inList)
}

// leadsApp reports whether an injector of the run has put a container before all of the app's.
func (p *Pod) leadsApp(list, name string) bool {
	for _, entry := range node.List(p.Before, "spec", list) {
		switch is := node.Text(entry, "name"); {
		case is == name:
			return !p.Owners.HasOtherRuns(stamp.InSpec(list, name))
		case !p.isInjected(list, is):
			return false
		}
	}
	return false
}

// checkNeighbour reports a container that another one is to be placed next to, and that is not in its list.
func (p *Pod) checkNeighbour(op injector.Operation, list string) {
	neighbour := op.Position.Before + op.Position.After
	if neighbour == "" || p.isAround(list, neighbour) {
		return
	}
	if p.isAround(containers, neighbour) && op.Container.Mode == v1alpha1.ModeNative {
		p.report(finding.Error, finding.PositionNotNative, p.containerAt(containers, neighbour),
			"container %q becomes a native sidecar, which is among the init containers, "+
				"so it cannot be placed next to %q in %s; write mode: Container, or name an init container",
			op.Key, neighbour, containers)
		return
	}
	p.report(finding.Info, finding.PositionMissing, p.At("spec."+list),
		"container %q cannot be placed next to %q, which is not in %s; podInjectPolicy decides its place",
		op.Key, neighbour, list)
}
