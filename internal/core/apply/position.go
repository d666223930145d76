package apply

import (
	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/injector"
	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/pods/pod"
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

// position returns the index in a list at which a new entry of an address goes: a container or a variable where its
// place says, and anything else at the end, which is the default because orchestrators copy comments back by index. Of
// several that go to the same place, the one that goes in first is the first, whichever injector adds it. What other
// runs put in makes no difference to the order of the rest. A variable has its values, and the fronts of its version.
func (p *Pod) position(entries []*node.Node, at stamp.Address, place injector.Place, in *fronts, values ...*node.Node) int {
	list := pod.At(at.Path)
	if neighbour := place.Before + place.After; neighbour != "" {
		if index, isThere := p.beside(entries, at, place); isThere {
			return index
		}
	}
	switch {
	case !place.IsFront:
		return len(entries)
	case list.Expands:
		return in.at(at.Path, entries, p.AppView).position(entries, values)
	default:
		p.Placed.noteFront(at)
		return p.front(entries, list.Name())
	}
}

// beside returns the index at which a container goes beside its neighbour, if the pod has that.
func (p *Pod) beside(entries []*node.Node, at stamp.Address, place injector.Place) (index int, isThere bool) {
	list := pod.At(at.Path).Name()
	neighbour := place.Before + place.After
	if index := indexOfName(entries, neighbour); index >= 0 {
		p.noteNeighbour(at, place, stamp.InSpec(list, neighbour))
		if place.After != "" {
			index = p.behind(entries, list, index)
		}
		return index, true
	}
	isOthers := p.App != nil && indexOfName(node.List(p.Before, "spec", list), neighbour) >= 0
	if isOthers && p.leadsApp(list, neighbour) { // Put finds the place among theirs
		return p.front(entries, list), true
	}
	return len(entries), isOthers
}

// fronts are the fronts of lists of variables, by their paths.
type fronts map[string]*front

// front is where variables go in front of the app's, which may use them.
type front struct {
	apps map[string]bool // the names of the app's variables
	next int             // behind those that injectors have put there
}

func (f *fronts) at(path string, env []*node.Node, app *stamp.View) *front {
	if known := (*f)[path]; known != nil {
		return known
	}
	if *f == nil {
		*f = fronts{}
	}
	apps := namesOf(app.List(path))
	made := &front{apps: apps, next: indexOfApps(env, apps, 0)}
	(*f)[path] = made
	return made
}

// position returns the index at which a new variable goes: behind those that it uses, because Kubernetes expands
// $(NAME) only if NAME is set before.
func (f *front) position(env, values []*node.Node) int {
	used := 0
	for _, value := range values {
		used = max(used, behindUsed(env, value))
	}
	if used > f.next {
		return indexOfApps(env, f.apps, used)
	}
	f.next++
	return f.next - 1
}

// indexOfApps returns the index of the app's next variable, from an index on: behind what injectors added there.
func indexOfApps(env []*node.Node, apps map[string]bool, from int) int {
	for from < len(env) && !apps[node.Text(env[from], "name")] {
		from++
	}
	return from
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
func (p *Pod) noteNeighbour(at stamp.Address, place injector.Place, neighbour stamp.Address) {
	placed := p.Placed
	if placed.after == nil {
		placed.after = map[stamp.Address]string{}
		placed.Beside = map[stamp.Address]bool{}
	}
	placed.after[at] = place.After
	if placed.Front[neighbour] {
		placed.noteFront(at)
	}
	list := pod.At(at.Path).Name()
	if _, isBeside := placed.Beside[neighbour]; isBeside || p.isOtherRuns(list, neighbour.Key) {
		placed.Beside[at] = place.Before != ""
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
		return p.isOtherRuns(list, node.Text(entry, "name")) && pod.IsNative(list, entry)
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
