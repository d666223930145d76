package apply

import (
	"maps"
	"slices"
	"strings"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/injector"
	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// Positions is where the injectors of a run have put containers in a pod template so far, as far as the lists do not show
// it.
type Positions struct {
	stamp.Positions
	after map[stamp.Address]string // the containers that containers go behind

	// What is known of the lists of the version, by their paths, so that not each injector searches all of a list. Only
	// Put changes the version once there is something here.
	keys   map[string]map[string]bool // of their entries; some may be gone
	fronts fronts
}

// hasKey reports whether a list of the version has an entry of a key, given its entries. Of a list without entries
// nothing is known later: what transformers make of it goes in as a whole.
func (p *Positions) hasKey(path, key string, entries []*node.Node) bool {
	if len(entries) == 0 {
		return false
	}
	keys := p.keys[path]
	if keys == nil {
		keys = make(map[string]bool, len(entries))
		for _, entry := range entries {
			keys[stamp.KeyOf(path, entry)] = true
		}
		if p.keys == nil {
			p.keys = map[string]map[string]bool{}
		}
		p.keys[path] = keys
	}
	return keys[key]
}

// forget forgets the lists inside of something that is replaced.
func (p *Positions) forget(replaced stamp.Address) {
	inside := replaced.Inside()
	isInside := func(path string) bool { return path == inside || strings.HasPrefix(path, inside+"/") }
	maps.DeleteFunc(p.keys, func(path string, _ map[string]bool) bool { return isInside(path) })
	maps.DeleteFunc(p.fronts, func(path string, _ int) bool { return isInside(path) })
}

// Reset forgets all positions. The memory for few of them is used again.
func (p *Positions) Reset() {
	const few = 8 // fit into a map that has never grown, so that it is cleared fast
	if len(p.Front) > few || len(p.after)+len(p.Beside)+len(p.keys)+len(p.fronts) > 0 {
		*p = Positions{}
	}
	clear(p.Front)
}

// noteFront records that a container belongs in front of the app's.
func (p *Positions) noteFront(container stamp.Address) {
	if p.Front == nil {
		p.Front = map[stamp.Address]bool{}
	}
	p.Front[container] = true
}

// position returns the index in a list at which a new entry of an address goes: a container or a variable where its
// position says, and anything else at the end, which is the default because orchestrators copy comments back by index. Of
// several that go to the same position, the one that goes in first is the first, whichever injector adds it. What other
// runs put in makes no difference to the order of the rest. A variable has its values, and the fronts of its version;
// the fronts are nil where lists are short.
func (p *Pod) position(
	entries []*node.Node, at stamp.Address, position injector.Position, in *fronts, values ...*node.Node,
) int {
	list := pod.At(at.Path)
	if neighbour := position.Before + position.After; neighbour != "" {
		if index, isThere := p.beside(entries, at, position, in); isThere {
			return index
		}
	}
	switch {
	case !position.IsFront:
		return len(entries)
	case list.Expands:
		return p.behindUsed(entries, at.Path, in, values)
	default:
		p.Positions.noteFront(at)
		return p.front(entries, list.Name(), in)
	}
}

// beside returns the index at which a container goes beside its neighbour, if the pod has that.
func (p *Pod) beside(
	entries []*node.Node, at stamp.Address, position injector.Position, in *fronts,
) (index int, isThere bool) {
	list := pod.At(at.Path).Name()
	neighbour := position.Before + position.After
	if index := indexOfName(entries, neighbour); index >= 0 {
		p.noteNeighbour(at, position, stamp.InSpec(list, neighbour))
		if position.After != "" {
			index = p.behind(entries, list, index)
		}
		return index, true
	}
	isOthers := p.hasOthers() && p.wasThere(list, neighbour)
	if isOthers && p.leadsApp(list, neighbour) { // Put finds the position among theirs
		return p.front(entries, list, in), true
	}
	return len(entries), isOthers
}

// fronts are how many entries are in front of the app's, where variables go, which these may use: by the paths of lists.
type fronts map[string]int

// at returns the front of a list. It searches only behind what it found before: whatever injectors insert or move, that
// stays in front.
func (f *fronts) at(path string, entries []*node.Node, app *stamp.View) int {
	if f == nil {
		return indexOfApps(path, entries, app, 0)
	}
	if *f == nil {
		*f = fronts{}
	}
	(*f)[path] = indexOfApps(path, entries, app, (*f)[path])
	return (*f)[path]
}

// behindUsed returns the index at which a new variable goes: behind those that it uses, because Kubernetes expands
// $(NAME) only if NAME is set before.
func (p *Pod) behindUsed(env []*node.Node, path string, in *fronts, values []*node.Node) int {
	from := in.at(path, env, p.AppView)
	for _, value := range values {
		from = max(from, behindUsed(env, value))
	}
	return indexOfApps(path, env, p.AppView, from)
}

// indexOfApps returns the index of the app's next entry in a list, from an index on: behind what injectors added there.
// Only the app has entries without a name.
func indexOfApps(path string, entries []*node.Node, app *stamp.View, from int) int {
	for ; from < len(entries); from++ {
		if name := node.Text(entries[from], "name"); name == "" || app.At(path, name) != nil {
			break
		}
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

// noteNeighbour records that a container goes next to another.
func (p *Pod) noteNeighbour(at stamp.Address, position injector.Position, neighbour stamp.Address) {
	placed := p.Positions
	if placed.after == nil {
		placed.after = map[stamp.Address]string{}
		placed.Beside = map[stamp.Address]bool{}
	}
	placed.after[at] = position.After
	if placed.Front[neighbour] {
		placed.noteFront(at)
	}
	list := pod.At(at.Path).Name()
	if _, isBeside := placed.Beside[neighbour]; isBeside || p.isOtherRuns(list, neighbour.Key) {
		placed.Beside[at] = position.Before != ""
	}
}

// isOtherRuns reports whether an injector of another run put in an entry.
func (p *Pod) isOtherRuns(list, name string) bool {
	return p.Owners.HasOtherRuns(stamp.InSpec(list, name)) && p.isInjected(list, name)
}

// front returns the index behind the entries that are in front of the app's. If the app has none, those count that the
// run put in front, or else the native sidecars of other runs. The fronts may be nil.
func (p *Pod) front(entries []*node.Node, list string, in *fronts) int {
	if first := in.at(pod.InSpec(list).Path, entries, p.AppView); first < len(entries) {
		return first
	}
	for i, entry := range slices.Backward(entries) {
		if p.Positions.Front[stamp.InSpec(list, node.Text(entry, "name"))] {
			return i + 1
		}
	}
	border := 0
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
	after := p.Positions.after
	next := at + 1
	for next < len(entries) && p.isInjected(list, node.Text(entries[next], "name")) {
		next++
	}
	if neighbour := node.Text(entries[at], "name"); next == len(entries) || p.isInjected(list, neighbour) {
		isBehind := func(entry *node.Node) bool {
			return after[stamp.InSpec(list, node.Text(entry, "name"))] == neighbour
		}
		for next = at + 1; next < len(entries) && isBehind(entries[next]); {
			next++
		}
	}
	return next
}
