package apply

import (
	"slices"

	"pillion.dev/pillion/internal/config/injector"
	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// list is a list of the app with what the injector wants in it so far: a list of the pod spec, or one further inside,
// whose entries Kubernetes tells apart by a key.
type list struct {
	row     *pod.Row
	choice  injector.Choice // what happens if an entry has the key of another one
	at      string          // as stamps have it
	entries []*node.Node    // those of the app come first, and what replaces one of them is in its place
	apps    int             // how many entries the app has
	isOwn   bool            // whether the entries are a copy of the app's
}

// listOf returns a list as the app has it; the node may be missing.
func listOf(app *node.Node, row *pod.Row, at string) list {
	entries := slices.Clip(node.List(app))
	return list{row: row, at: at, entries: entries, apps: len(entries)}
}

// add adds an entry at the end. Where it goes is decided when all is written.
func (l *list) add(entry *node.Node) { l.entries = append(l.entries, entry) }

// replace replaces an entry.
func (l *list) replace(index int, entry *node.Node) {
	if !l.isOwn {
		l.isOwn = true
		l.entries = slices.Clone(l.entries)
	}
	l.entries[index] = entry
}

// find returns the index of the entry with the key of a wanted one, or -1.
func (l *list) find(wanted *node.Node) int { return l.row.Find(l.entries, wanted) }

// thing returns an entry as stamps name it.
func (l *list) thing(entry *node.Node) stamp.Address {
	return stamp.Address{Path: l.at, Key: stamp.KeyOf(l.at, entry)}
}

// list returns one of the pod spec's lists that have names, with what the injector wants in it so far.
func (p *Pod) list(name string) *list {
	row := pod.InSpec(name)
	for i := range p.lists[:p.listCount] {
		if p.lists[i].row == row {
			return &p.lists[i]
		}
	}
	l := &p.lists[p.listCount]
	p.listCount++
	*l = listOf(node.Get(p.Spec(), name), row, row.Path)
	return l
}

// entries returns the entries of one of the pod spec's lists.
func (p *Pod) entries(list string) []*node.Node { return p.list(list).entries }
