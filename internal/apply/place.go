package apply

import (
	"slices"
	"strconv"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/pod"
	"pillion.dev/pillion/internal/stamp"
	"pillion.dev/pillion/internal/yaml/node"
)

// place is a field or an entry of the version under change. It is copied before its first change and not otherwise, because a copy of
// a YAML alias writes it out.
type place struct {
	now  *yaml.Node        // for reading
	copy func() *yaml.Node // makes it safe to change; nil once it is
}

// own returns the node of the place, safe to change.
func (p *place) own() *yaml.Node {
	if p.copy != nil {
		p.now, p.copy = p.copy(), nil
	}
	return p.now
}

// field returns the place of a field of a mapping. Owning one that is missing adds an empty list.
func (p *place) field(name string) *place {
	return &place{node.Get(p.now, name), func() *yaml.Node {
		owned := node.Own(p.own(), name)
		if node.IsNull(owned) {
			owned = node.Sequence()
			node.Set(p.own(), name, owned)
		}
		return owned
	}}
}

// entry returns the place of an entry of a list.
func (p *place) entry(index int) *place {
	return &place{node.Resolve(p.now.Content[index]), func() *yaml.Node { return node.OwnEntry(p.own(), index) }}
}

// list is a list inside a container or another field of the pod spec, whose entries Kubernetes tells apart by a key.
type list struct {
	*place
	row    *pod.Row
	path   string       // for messages
	at     string       // as stamps have it
	before []*yaml.Node // before entries were inserted in front; nil if entries are only added at the end
}

func (l *list) entries() []*yaml.Node {
	if l.now == nil {
		return nil
	}
	return l.now.Content
}

// find returns the index of the entry with the key of a wanted one, or -1.
func (l *list) find(wanted *yaml.Node) int { return l.row.Find(l.entries(), wanted) }

// pathOf returns the path of an entry, given its index in the list as it is now.
func (l *list) pathOf(index int) string {
	if was := slices.Index(l.before, l.entries()[index]); was >= 0 {
		index = was
	}
	return l.path + "[" + strconv.Itoa(index) + "]"
}

// thing returns an entry as stamps name it.
func (l *list) thing(entry *yaml.Node) stamp.Thing {
	return stamp.Thing{Path: l.at, Key: stamp.KeyOf(l.at, entry)}
}
