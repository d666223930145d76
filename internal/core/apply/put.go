package apply

import (
	"slices"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/ledger"
	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// Put writes what the injector wants, for which the plan ran on the app alone, into a version of the pod template that
// has what other injectors have put in. What they have put in as well stays as it is: it is equal, or a conflict that
// is reported. The view is that of the app with what the injector wants.
func (p *Pod) Put(version *node.Node, alone *stamp.View) []finding.Finding {
	w := writer{
		Pod:   p,
		root:  &editableNode{now: version, clones: p.Clones},
		nodes: map[string]*editableNode{},
		alone: alone,
	}
	findings := len(p.findings)
	for _, wanted := range p.changes() {
		switch {
		case wanted.IsApps():
		case wanted.Verb == ledger.Join:
			w.join(wanted)
		case wanted.IsEntry:
			w.putEntry(wanted)
		default:
			w.putValue(w.at(wanted.Path), wanted.Address, w.alone.At(wanted.Path, wanted.Key))
		}
	}
	return p.findings[findings:]
}

// changes returns what becomes of the app. Transformers change more than the
// injector wants.
func (p *Pod) changes() []*ledger.Entry {
	all := make([]*ledger.Entry, 0, len(p.Entries))
	for i := range p.Entries {
		all = append(all, &p.Entries[i])
	}
	if !p.isTransformed {
		return all
	}
	isKnown := map[stamp.Address]bool{}
	for _, w := range all {
		isKnown[w.Address] = true
		if w.Verb == ledger.Join {
			isKnown[w.Child("value")] = true
		}
	}
	for _, w := range stamp.Difference(p.App, p.Node) {
		if !isKnown[w.Address] {
			all = append(all, &ledger.Entry{Wanted: w})
		}
	}
	return all
}

// writer writes into a version of a pod template. What is on the way to a change is copied once.
type writer struct {
	*Pod
	root  *editableNode
	nodes map[string]*editableNode // by path
	alone *stamp.View              // the app with what the injector wants
}

// at returns the mapping or list at a path.
func (w *writer) at(path string) *editableNode {
	if path == "" {
		return w.root
	}
	if known := w.nodes[path]; known != nil {
		return known
	}
	to := stamp.AddressOf(path)
	above := w.at(to.Path)
	inside := above.fieldAt(to.Key)
	if above.now != nil && above.now.Kind == node.SequenceNode {
		index := indexOfKey(to.Path, above.now.Content, to.Key)
		if index < 0 { // nothing is lost silently
			w.report(finding.Error, finding.ContainerMissing, w.At("spec"),
				"%s %q of the app, which gets something, is not in the pod; restore it", pod.At(to.Path).Noun, to.Key)
			return &editableNode{now: node.Mapping()}
		}
		inside = above.entryAt(index)
		inside.own() // because the index may change
	}
	w.nodes[path] = &inside
	return &inside
}

// indexOf returns the index of an entry of a list, or -1.
func (w *writer) indexOf(at stamp.Address) int {
	list := w.at(at.Path)
	isList := list.now != nil && list.now.Kind == node.SequenceNode
	if !isList || !w.Positions.hasKey(at.Path, at.Key, list.now.Content) {
		return -1
	}
	return indexOfKey(at.Path, list.now.Content, at.Key)
}

// insert inserts an entry into a list.
func (w *writer) insert(at stamp.Address, index int, entry *node.Node) {
	node.Insert(w.at(at.Path).own(), index, entry)
	if keys := w.Positions.keys[at.Path]; keys != nil {
		keys[at.Key] = true
	}
}

// indexOfKey returns the index of the first entry of a key in the list at a path, or -1.
func indexOfKey(path string, entries []*node.Node, key string) int {
	row := pod.At(path)
	return slices.IndexFunc(entries, func(entry *node.Node) bool {
		if is := row.Key(node.Resolve(entry)); is != "" {
			return is == key
		}
		return stamp.KeyOf(path, entry) == key
	})
}

// putValue sets a value in a mapping. Of something that others may have added to as well, it adds what is missing.
func (w *writer) putValue(into *editableNode, at stamp.Address, value *node.Node) {
	present := node.Get(into.now, at.Key)
	isBoth := func(kind node.Kind) bool { return present != nil && present.Kind == kind && value.Kind == kind }
	row := pod.At(at.Path).Child(at.Key)
	switch {
	case node.IsNull(present):
		set(into, at.Key, node.Fresh(value))
	case isBoth(node.MappingNode) && !row.Whole:
		for key, inner := range node.Fields(value) {
			w.putValue(w.at(at.Inside()), at.Child(key), inner)
		}
	case isBoth(node.SequenceNode) && node.IsNull(w.AppView.At(at.Path, at.Key)):
		for _, entry := range value.Content {
			inside := at.Child(stamp.KeyOf(at.Inside(), entry))
			if w.indexOf(inside) < 0 {
				w.insert(inside, len(w.at(inside.Path).now.Content), node.Fresh(entry))
			}
		}
	case !w.Owners.Has(at):
		set(into, at.Key, node.Fresh(value))
		w.Positions.forget(at)
	}
}

// set sets a key of a mapping, which is made if it is missing. The metadata of a pod comes first.
func set(into *editableNode, key string, value *node.Node) {
	if node.IsNull(into.now) {
		set(into.in, into.field, node.Mapping())
		*into = into.in.fieldAt(into.field)
	}
	if key == "metadata" && node.Get(into.now, key) == nil {
		node.SetFirst(into.own(), key, value)
		return
	}
	node.Set(into.own(), key, value)
}

// putEntry adds an entry to a list, or replaces the app's of the same key.
func (w *writer) putEntry(wanted *ledger.Entry) {
	index := w.indexOf(wanted.Address)
	if index >= 0 && w.Owners.Has(wanted.Address) {
		return
	}
	entry := w.alone.At(wanted.Path, wanted.Key)
	if index < 0 {
		w.insert(wanted.Address, w.positionOf(wanted, entry), entry)
		return
	}
	into := w.at(wanted.Path).own()
	w.Positions.forget(wanted.Address)
	into.Content[index] = entry
}

// positionOf returns where a new entry goes in a list.
func (w *writer) positionOf(wanted *ledger.Entry, entry *node.Node) int {
	return w.position(node.List(w.at(wanted.Path).now), wanted.Address, wanted.Position, &w.Positions.fronts, entry)
}
