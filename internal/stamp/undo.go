package stamp

import (
	"cmp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/podtemplate"
	"pillion.dev/pillion/internal/yaml/node"
)

// Undo removes from a template, which must be safe to change, what the owners put in, and puts back what was there before.
// It leaves what one of the others put in as well.
func Undo(template *yaml.Node, owners, others []Owner) Undone {
	if len(owners) == 0 {
		return Undone{}
	}
	return undo(template, owners, others).Undone
}

// undoer is a template from which stamps are being undone.
type undoer struct {
	Undone
	*tree
	owners, others []Owner
	addedByOthers  map[Thing]bool
	newByOthers    map[Thing]bool        // what the others put in without replacing something
	was            map[Thing]Owner       // the first owner that has the text of what was there before; nil until it is needed
	done           map[Thing]bool        // what was removed, and lost containers that are reported
	shrunk         map[string]bool       // the mappings and lists that something was removed from
	app            *bool                 // see hasApp; nil until it is needed
	joined         map[Thing]openedValue // the variables whose values count as lists
}

func undo(template *yaml.Node, owners, others []Owner) *undoer {
	u := &undoer{
		Undone: Undone{Below: map[*yaml.Node]int{}, roots: map[int]string{}},
		tree:   newTree(template), owners: owners, others: others,
		addedByOthers: added(others), newByOthers: addedAnew(others),
		done: map[Thing]bool{}, shrunk: map[string]bool{}, joined: map[Thing]openedValue{},
	}
	u.openJoined()
	u.removeAdded()
	u.closeJoined()
	u.shrink()
	u.restoreCuts()
	u.removeStamps()
	u.removeEmpty()
	return u
}

// removeAdded removes what the owners put in, lists before what is in their entries. The drifts come out in the order of the owners.
func (u *undoer) removeAdded() {
	byPath := map[string][]Owner{}
	for _, o := range u.owners {
		for path := range o.Added {
			byPath[path] = append(byPath[path], o)
		}
	}
	type variable struct {
		owner Owner
		Thing
	}
	var last []variable // those with a joined value, of which the parts must be removed before
	for _, path := range sortedKeys(byPath) {
		for _, o := range byPath[path] {
			for _, key := range sortedKeys(o.Added[path]) {
				at := Thing{path, key}
				if u.done[at] || u.addedByOthers[at] || u.isOpenValue(at) {
					continue
				}
				u.done[at] = true
				if o.IsJoined(at) {
					last = append(last, variable{o, at})
				} else {
					u.removeThing(o, at)
				}
			}
		}
	}
	for _, v := range last {
		u.removeVariable(v.owner, v.Thing)
	}
	u.close()
	rank := make(map[string]int, len(u.owners))
	for i, o := range u.owners {
		rank[o.Key] = i
	}
	slices.SortStableFunc(u.Drifts, func(a, b Drift) int { return rank[a.Owner] - rank[b.Owner] })
}

// removeThing removes one thing, and puts back what it replaced.
func (u *undoer) removeThing(o Owner, at Thing) {
	fingerprint := o.Added[at.Path][at.Key]
	i := u.findUnchanged(at, fingerprint)
	if i < 0 {
		u.missing(o, at)
		return
	}
	present := node.Resolve(u.at(at.Path).Content[i])
	text, replaced := o.Was[at.Path][at.Key]
	if !fingerprint.IsOf(at, present) {
		d := Drift{Owner: o.Key, Thing: at, Present: present, Foreign: u.isForeign(o, at, present)}
		u.Drifts = append(u.Drifts, d)
		if d.Foreign {
			return
		}
	}
	if _, _, isJoined := asJoined(at.Path); isJoined {
		u.remove(at, i)
		return
	}
	u.shrunk[at.Path] = true
	if !replaced {
		u.remove(at, i)
		return
	}
	n := u.restored(text)
	if !node.Equal(n, present) {
		u.report(o.Key, at, n)
	}
	u.put(at, i, n)
}

// isForeign reports whether a container whose fingerprint does not match is not the one that was put in: it has nothing in common
// with the config's container. If the config has none of the name, a container stays that the pod cannot do without.
func (u *undoer) isForeign(o Owner, at Thing, present *yaml.Node) bool {
	if !IsContainers(at.Path) {
		return false
	}
	if o.Payload != nil {
		if wanted := o.Payload(at.Key); wanted != nil {
			return !podtemplate.AreRelated(present, wanted)
		}
	}
	_, replaced := o.Was[at.Path][at.Key]
	return at.Path == containersPath && !replaced && !u.hasApp()
}

// hasApp reports whether the pod has a container that no stamp names.
func (u *undoer) hasApp() bool {
	if u.app == nil {
		mine := added(u.owners)
		hasApp := slices.ContainsFunc(u.at(containersPath).Content, func(container *yaml.Node) bool {
			at := Thing{containersPath, KeyOf(containersPath, container)}
			return container != hole && !mine[at] && !u.addedByOthers[at]
		})
		u.app = &hasApp
	}
	return *u.app
}

// missing reports something that is no longer there. If the container of the app that it was put into is gone, missing reports
// that container once. What was replaced comes back nevertheless.
func (u *undoer) missing(o Owner, at Thing) {
	container := ContainerOf(at.Path)
	inContainer := insideContainer(at.Path)
	switch {
	case !inContainer || u.at(container.Inside()) != nil:
		u.Drifts = append(u.Drifts, Drift{Owner: o.Key, Thing: at})
	case !u.done[container]:
		u.done[container] = true
		u.Drifts = append(u.Drifts, Drift{Owner: o.Key, Thing: container, Lost: true})
	}
	text, replaced := o.Was[at.Path][at.Key]
	if !replaced || inContainer && u.addedByOthers[container] {
		return
	}
	if n := u.restored(text); !node.IsNull(n) {
		u.report(o.Key, at, n)
		u.add(at, n)
	}
}

// findUnchanged returns the index of a value or an entry, or -1. Of several with the same key, it prefers one that nobody changed.
func (u *undoer) findUnchanged(at Thing, fingerprint Fingerprint) int {
	indexes := u.find(at)
	if len(indexes) == 0 {
		return -1
	}
	if _, _, isJoined := asJoined(at.Path); isJoined && !fingerprint.InFront {
		return indexes[len(indexes)-1]
	}
	if len(indexes) > 1 {
		for _, i := range indexes {
			if fingerprint.IsOf(at, u.at(at.Path).Content[i]) {
				return i
			}
		}
	}
	return indexes[0]
}

func (u *undoer) removeStamps() {
	for _, o := range u.owners {
		at := Thing{annotationsPath, o.Key}
		for _, i := range u.find(at) {
			u.remove(at, i)
			u.shrunk[annotationsPath] = true
		}
	}
}

// removeEmpty removes the mappings and lists that have become empty, from the innermost on. Those that were there before
// are put back as they were.
func (u *undoer) removeEmpty() {
	for _, path := range u.innermostFirst() {
		at := ThingAt(path)
		if !u.isEmpty(path) || u.at(at.Path).Kind != yaml.MappingNode {
			continue
		}
		i := u.find(at)[0]
		if o, wasThere := u.before(at); wasThere {
			n := u.restored(o.Was[at.Path][at.Key])
			u.report(o.Key, at, n)
			u.put(at, i, n)
		} else if path != "spec" { // a pod template must have it
			u.remove(at, i)
		}
	}
	u.close()
}

// innermostFirst returns the paths that something was removed from, and those above them.
func (u *undoer) innermostFirst() []string {
	depths := map[string]int{}
	for path := range u.shrunk {
		for path != "" && depths[path] == 0 {
			depths[path] = 1 + strings.Count(path, "/")
			path = ThingAt(path).Path
		}
	}
	paths := sortedKeys(depths)
	slices.SortStableFunc(paths, func(a, b string) int { return cmp.Compare(depths[b], depths[a]) })
	return paths
}

// before returns the first of the owners that has the text of what was there before.
func (u *undoer) before(at Thing) (Owner, bool) {
	if u.was == nil {
		u.was = map[Thing]Owner{}
		for _, o := range slices.Backward(u.owners) {
			for thing := range each(o.Was) {
				u.was[thing] = o
			}
		}
	}
	o, known := u.was[at]
	return o, known
}
