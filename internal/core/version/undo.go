package version

import (
	"cmp"
	"slices"
	"strings"

	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// Undo removes from a template, which must be safe to change, what the owners put in, and puts back what was there
// before. It leaves what one of the others put in as well. Without clones, what it changes gets new memory.
func Undo(template *node.Node, owners, others []stamp.Owner, clones *node.Clones) Undone {
	if len(owners) == 0 {
		return Undone{}
	}
	u := &undoer{
		Undone:   Undone{roots: map[int]string{}},
		template: template, owners: owners, others: others,
		addedByOthers: added(others), joined: joinedBy(owners, others), done: map[stamp.Address]bool{},
	}
	var all []named
	for i := range owners {
		all = appendNamed(all, &owners[i])
	}
	slices.SortStableFunc(all, func(a, b named) int { return comparePaths(a.Path, b.Path) })
	u.visit(&editedNode{IndexedNode: stamp.IndexedNode{Node: template}, isThere: true, clones: clones}, all)
	rank := make(map[string]int, len(owners))
	for i, o := range owners {
		rank[o.Key] = i
	}
	slices.SortStableFunc(u.Drifts, func(a, b Drift) int { return rank[a.Owner] - rank[b.Owner] })
	return u.Undone
}

// undoer undoes stamps in one walk over a template.
type undoer struct {
	Undone
	template       *node.Node
	owners, others []stamp.Owner
	addedByOthers  map[stamp.Address]bool
	joined         joinedValues           // the values that owners and others joined parts to
	done           map[stamp.Address]bool // what was removed, and lost containers that are reported
	app            *bool                  // see hasApp; nil until it is needed
}

// named is something that the stamp of an owner names.
type named struct {
	stamp.Address
	stamp.Change
	by *stamp.Owner
}

// appendNamed appends what the stamp of an owner is about, and the stamp itself.
func appendNamed(all []named, o *stamp.Owner) []named {
	all = slices.Grow(all, len(o.Changes)+1)
	for _, at := range o.Touched() {
		all = append(all, named{Address: at, Change: o.Changes[at], by: o})
	}
	return append(all, named{Address: stamp.Address{Path: "metadata/annotations", Key: o.Key}, by: o})
}

// comparePaths compares paths so that all paths that lead through a node follow that of the node.
func comparePaths(a, b string) int {
	for i := range min(len(a), len(b)) {
		switch {
		case a[i] == b[i]:
		case a[i] == '/':
			return -1
		case b[i] == '/':
			return 1
		default:
			return cmp.Compare(a[i], b[i])
		}
	}
	return len(a) - len(b)
}

// visit removes what stamps name in a node: first from the node itself, then from what is inside. All of it is in the
// order of the paths.
func (u *undoer) visit(p *editedNode, all []named) {
	u.steps += len(all) + len(p.Node.Content)
	isInside := func(n named) bool { return n.Path != p.Path }
	count := slices.IndexFunc(all, isInside)
	if count < 0 {
		count = len(all)
	}
	var before map[string]named
	var variables []named
	for _, n := range all[:count] {
		if n.Before != nil && before[n.Key].by == nil {
			if before == nil {
				before = map[string]named{}
			}
			before[n.Key] = n
		}
		switch {
		case p.Path == "metadata/annotations" && stamp.IsKey(n.Key):
			p.remove(p.find(n.Key)...)
		case u.done[n.Address] || u.addedByOthers[n.Address]:
		case n.Hash == "":
		case n.by.IsJoined(n.Address):
			u.done[n.Address] = true
			variables = append(variables, n)
		case n.Key == valueKey && u.joined.has(stamp.AddressOf(p.Path)): // only a forged stamp names it as a whole
		default:
			u.done[n.Address] = true
			u.removeAt(p, n)
		}
	}
	p.close()
	for rest := all[count:]; len(rest) > 0; {
		path, inside := firstInside(p.Path, rest)
		if at := stamp.AddressOf(path); !u.done[at] || u.joined.has(at) {
			u.visitInside(p, p.inside(at.Key, path), inside, before)
		}
		rest = rest[len(inside):]
	}
	for _, n := range variables { // their parts have been removed
		u.removeVariable(p, n)
	}
	p.close()
}

// firstInside returns where the first path leads to from the node above, and all that is there or further inside.
func firstInside(above string, all []named) (path string, inside []named) {
	path = all[0].Path
	from := len(above) + min(len(above), 1) // without the slash between them
	if end := strings.IndexByte(path[from:], '/'); end >= 0 {
		path = path[:from+end]
	}
	count := 1
	for count < len(all) && isInside(stamp.AddressOf(path), all[count].Path) {
		count++
	}
	return path, all[:count]
}

// visitInside visits a node inside another one. If it becomes empty, it is removed, or put back as it was before.
func (u *undoer) visitInside(p, c *editedNode, all []named, before map[string]named) {
	if variable, v, isJoined := u.joined.at(c.Path); isJoined {
		u.removeParts(p, variable, v, all)
		return
	}
	u.visit(c, all)
	p.isShrunk = p.isShrunk || c.isShrunk
	if !c.isShrunk || !c.isEmpty() || p.Node.Kind != node.MappingNode {
		return
	}
	i := p.find(c.key)[0]
	if n, wasThere := before[c.key]; wasThere {
		p.Node.Content[i] = u.restored(*n.Before)
	} else if c.Path != "spec" { // a pod template must have it
		p.remove(i)
	}
}

// removeAt removes one thing, and puts back what it replaced.
func (u *undoer) removeAt(p *editedNode, n named) {
	i := p.findUnchanged(n)
	if i < 0 {
		u.missing(p, n)
		return
	}
	present := node.Resolve(p.Node.Content[i])
	if !n.IsOf(n.Address, present) {
		d := Drift{Owner: n.by.Key, Address: n.Address, Present: present, Foreign: u.isForeign(p, n, present)}
		u.Drifts = append(u.Drifts, d)
		if d.Foreign {
			return
		}
	}
	if n.Before == nil {
		p.remove(i)
		return
	}
	p.Node.Content[i] = u.restored(*n.Before)
}

// findUnchanged returns the index of a value or an entry, or -1. Of several with the same key, it prefers one that
// nobody changed.
func (p *editedNode) findUnchanged(n named) int {
	all := p.find(n.Key)
	for _, i := range all {
		if len(all) > 1 && n.IsOf(n.Address, p.Node.Content[i]) {
			return i
		}
	}
	if len(all) == 0 {
		return -1
	}
	return all[0]
}

// isForeign reports whether a container whose fingerprint does not match is not the one that was put in: it has nothing
// in common with the config's container. If the config has none of the name, a container stays that the pod cannot do
// without.
func (u *undoer) isForeign(p *editedNode, n named, present *node.Node) bool {
	if !stamp.IsContainers(p.Path) {
		return false
	}
	if n.by.Payload != nil {
		if wanted := n.by.Payload(n.Key); wanted != nil {
			return !pod.AreRelated(present, wanted)
		}
	}
	return p.Path == pod.InSpec(pod.Main).Path && n.Before == nil && !u.hasApp(p)
}

// hasApp reports whether the pod has a container that no stamp names.
func (u *undoer) hasApp(containers *editedNode) bool {
	if u.app == nil {
		mine := added(u.owners)
		hasApp := slices.ContainsFunc(containers.Node.Content, func(container *node.Node) bool {
			at := stamp.Address{Path: pod.InSpec(pod.Main).Path, Key: stamp.KeyOf(pod.InSpec(pod.Main).Path, container)}
			return container != removed && !mine[at] && !u.addedByOthers[at]
		})
		u.app = &hasApp
	}
	return *u.app
}

// missing reports something that is no longer there. If the container of the app that it was put into is gone, missing
// reports that container once. What was replaced comes back nevertheless.
func (u *undoer) missing(p *editedNode, n named) {
	container := stamp.ContainerOf(n.Path)
	inContainer := container != (stamp.Address{})
	switch {
	case !inContainer || p.hasContainer():
		u.Drifts = append(u.Drifts, Drift{Owner: n.by.Key, Address: n.Address})
	case !u.done[container]:
		u.done[container] = true
		u.Drifts = append(u.Drifts, Drift{Owner: n.by.Key, Address: container, Lost: true})
	}
	if n.Before == nil || inContainer && u.addedByOthers[container] {
		return
	}
	if was := u.restored(*n.Before); !node.IsNull(was) {
		p.add(n.Key, was)
	}
}

// hasContainer reports whether the container that a node is in is there.
func (p *editedNode) hasContainer() bool {
	for p.above != nil && !stamp.IsContainers(p.above.Path) {
		p = p.above
	}
	return p.isThere
}
