package apply

import (
	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/injector"
	"pillion.dev/pillion/internal/config/plan"
	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// Placed is where the injectors of a run have put containers in a pod template so far, as far as the lists do not show
// it.
type Placed struct {
	stamp.Places
	after map[stamp.Address]string // the containers that containers go behind
}

// Reset forgets all places. The memory for few of them is used again.
func (p *Placed) Reset() {
	const few = 8 // fit into a map that has never grown, so that it is cleared fast
	if len(p.Front) > few || len(p.after)+len(p.Beside) > 0 {
		*p = Placed{}
	}
	clear(p.Front)
}

// noteFront records that a container belongs in front of the app's.
func (p *Placed) noteFront(container stamp.Address) {
	if p.Front == nil {
		p.Front = map[stamp.Address]bool{}
	}
	p.Front[container] = true
}

// position returns the index in a list at which a new container goes. Behind the app's containers is the default,
// because orchestrators copy comments back by index; native sidecars go in front of the app's init containers, so that
// they run while those do. Of several that go to the same place, the one that goes in first is the first, whichever
// injector adds it. What other runs put in makes no difference to the order of the rest.
func (p *Pod) position(entries []*node.Node, op plan.Operation, list string, body *node.Node) int {
	neighbour := op.Place.Before + op.Place.After
	if at := indexOfName(entries, neighbour); at >= 0 && neighbour != "" {
		p.noteNeighbour(op, list, neighbour)
		if op.Place.After != "" {
			at = p.behind(entries, list, at)
		}
		return at
	}
	isOthers := neighbour != "" && p.App != nil && indexOfName(node.List(p.Before, "spec", list), neighbour) >= 0
	if isOthers { // Put finds the place among theirs
		if p.leadsApp(list, neighbour) {
			return p.front(entries, list)
		}
		return len(entries)
	}
	if injector.Leads(op.Container.PodInjectPolicy, list, body) {
		p.Placed.noteFront(stamp.InSpec(list, op.Key))
		return p.front(entries, list)
	}
	return len(entries)
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
func (p *Pod) checkNeighbour(op plan.Operation, list string) {
	neighbour := op.Place.Before + op.Place.After
	if neighbour == "" || indexOfName(p.around(list), neighbour) >= 0 {
		return
	}
	if indexOfName(p.around(containers), neighbour) >= 0 && op.Container.Mode == v1alpha1.ModeNative {
		p.report(finding.Error, finding.PositionNotNative, p.containerAt(containers, neighbour),
			"container %q becomes a native sidecar, which is among the init containers, so it cannot be placed next to %q in %s; "+
				"write mode: Container, or name an init container", op.Key, neighbour, containers)
		return
	}
	p.report(finding.Info, finding.PositionMissing, p.At("spec."+list),
		"container %q cannot be placed next to %q, which is not in %s; podInjectPolicy decides its place", op.Key, neighbour, list)
}

// noteNeighbour records that a container goes next to another.
func (p *Pod) noteNeighbour(op plan.Operation, list, neighbour string) {
	placed := p.Placed
	this := stamp.InSpec(list, op.Key)
	next := stamp.InSpec(list, neighbour)
	if placed.after == nil {
		placed.after = map[stamp.Address]string{}
		placed.Beside = map[stamp.Address]bool{}
	}
	placed.after[this] = op.Place.After
	if placed.Front[next] {
		placed.noteFront(this)
	}
	if _, isBeside := placed.Beside[next]; isBeside || p.isOtherRuns(list, neighbour) {
		placed.Beside[this] = op.Place.Before != ""
	}
}

// isOtherRuns reports whether an injector of another run put in an entry.
func (p *Pod) isOtherRuns(list, name string) bool {
	return p.Owners.HasOtherRuns(stamp.InSpec(list, name)) && p.isInjected(list, name)
}

// front returns the index behind the entries that are in front of the app's. If the app has none, those count that the
// run put in front, or else the native sidecars of other runs.
func (p *Pod) front(entries []*node.Node, list string) int {
	border := 0
	for i, entry := range entries {
		name := node.Text(entry, "name")
		switch {
		case !p.isInjected(list, name):
			return i
		case p.Placed.Front[stamp.InSpec(list, name)]:
			border = i + 1
		}
	}
	if border > 0 {
		return border
	}
	isFront := func(entry *node.Node) bool {
		return p.isOtherRuns(list, node.Text(entry, "name")) && injector.Leads("", list, entry)
	}
	for border < len(entries) && isFront(entries[border]) {
		border++
	}
	return border
}

// behind returns the index behind an entry of a list and those that injectors put there as well: between entries of the
// app, all of them; elsewhere, those that go behind the same entry.
func (p *Pod) behind(entries []*node.Node, list string, at int) int {
	after := p.Placed.after
	next := at + 1
	for next < len(entries) && p.isInjected(list, node.Text(entries[next], "name")) {
		next++
	}
	if neighbour := node.Text(entries[at], "name"); next == len(entries) || p.isInjected(list, neighbour) {
		for next = at + 1; next < len(entries) && after[stamp.InSpec(list, node.Text(entries[next], "name"))] == neighbour; {
			next++
		}
	}
	return next
}
