package stamp

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/node"
)

// Owner is an injector by the key of its stamp.
type Owner struct {
	Key string
	*Stamp
}

// Drift is something that an injector put in and a person changed since.
type Drift struct {
	Owner     string // the key of the stamp
	Path, Key string
	Field     string     // of a container; empty for the whole
	Present   *yaml.Node // what is there now; nil where it was taken out
	// Lost says that it is a container of the app's, which is gone with what was put into it.
	Lost bool
	// Foreign says that it is a container in which nothing is as it was injected. It was left
	// where it is: a stamp may have been copied.
	Foreign bool
}

// Undone is a pod template without what some of its stamps speak of.
type Undone struct {
	// Drifts is what a person had changed; it was taken out all the same.
	Drifts []Drift
	// Restored is what was put back, except what was empty.
	Restored []Restored
	// Below is how many lines stood above the entries that had been taken out of lists.
	Below map[*yaml.Node]int

	origins map[int]*yaml.Node // of nodes that were put back, by their column: the nodes of the text
	roots   map[int]string     // the texts, by the column of the node
}

// Undo takes out of a template, which must be safe to change, what the owners put in, and puts
// back what stood there before. What one of the others put in as well stays.
func Undo(template *yaml.Node, owners, others []Owner) Undone {
	if len(owners) == 0 {
		return Undone{}
	}
	return undo(template, owners, others).Undone
}

func undo(template *yaml.Node, owners, others []Owner) *undoer {
	u := &undoer{
		Undone: Undone{Below: map[*yaml.Node]int{}, origins: map[int]*yaml.Node{}, roots: map[int]string{}},
		tree:   newTree(template), owners: owners, others: others, theirs: addedBy(others),
		taken: map[string]bool{}, touched: map[string]bool{}, tried: map[string]bool{}, opened: map[string]*yaml.Node{},
	}
	u.new = u.theirs.without(others)
	u.open()
	u.takeAll()
	u.cuts()
	u.stamps()
	u.empty()
	u.closeObjects()
	return u
}

type undoer struct {
	Undone
	*tree
	owners, others []Owner
	theirs, new    added                 // what the others put in, and of that what had replaced nothing
	kept           map[Thing]Owner       // the first that keeps what stood somewhere; nil until it is needed
	taken          map[string]bool       // what was taken out
	touched        map[string]bool       // the mappings and lists that something was taken out of
	tried          map[string]bool       // annotations that were looked at for JSON
	opened         map[string]*yaml.Node // annotations that are mappings for the time being, as they were
}

// takeAll takes out what the owners put in: lists before what is in their entries.
func (u *undoer) takeAll() {
	by := u.ownersByPath()
	for _, path := range slices.Sorted(maps.Keys(by)) {
		for _, o := range by[path] {
			for _, key := range slices.Sorted(maps.Keys(o.Added[path])) {
				if at := join(path, key); !u.taken[at] && !u.theirs.adds(path, key) {
					u.taken[at] = true
					u.take(o, path, key)
				}
			}
		}
	}
	u.close()
	rank := make(map[string]int, len(u.owners))
	for i, o := range u.owners {
		rank[o.Key] = i
	}
	slices.SortStableFunc(u.Drifts, func(a, b Drift) int { return rank[a.Owner] - rank[b.Owner] })
}

// ownersByPath are the owners that have put something into a path, in their order.
func (u *undoer) ownersByPath() map[string][]Owner {
	by := map[string][]Owner{}
	for _, o := range u.owners {
		for path := range o.Added {
			by[path] = append(by[path], o)
		}
	}
	return by
}

// take takes one thing out, and puts back what it had replaced.
func (u *undoer) take(o Owner, path, key string) {
	i := u.unchanged(path, key, o.Added[path][key])
	if i < 0 {
		u.miss(o, path, key)
		return
	}
	present := node.Resolve(u.at(path).Content[i])
	if o.Added[path][key].isForeign(present) {
		u.Drifts = append(u.Drifts, Drift{Owner: o.Key, Path: path, Key: key, Present: present, Foreign: true})
		return
	}
	for _, field := range o.Added[path][key].Changed(present) {
		u.Drifts = append(u.Drifts, Drift{Owner: o.Key, Path: path, Key: key, Field: field, Present: present})
	}
	u.touched[path] = true
	if was, replaced := o.Was[path][key]; replaced {
		n := u.restored(path, was)
		if !node.Equal(n, present) {
			u.note(o.Key, path, key, n)
		}
		u.put(path, key, i, n)
		return
	}
	u.remove(path, key, i)
}

// miss is about something that is there no more. What it had replaced comes back all the same.
func (u *undoer) miss(o Owner, path, key string) {
	list, container := containerOf(path)
	switch at := join(list, container); {
	case container == "" || u.at(at) != nil:
		u.Drifts = append(u.Drifts, Drift{Owner: o.Key, Path: path, Key: key})
	case !u.taken[at]:
		u.taken[at] = true // said once
		u.Drifts = append(u.Drifts, Drift{Owner: o.Key, Path: list, Key: container, Lost: true})
	}
	was, replaced := o.Was[path][key]
	if !replaced || container != "" && u.theirs.adds(list, container) {
		return
	}
	if n := u.restored(path, was); !node.IsNull(n) {
		u.note(o.Key, path, key, n)
		u.add(path, key, n)
	}
}

// unchanged is where a value or an entry stands, or -1. Of several of one key, it is the one that
// nobody changed.
func (u *undoer) unchanged(path, key string, untouched Print) int {
	all := u.find(path, key)
	for _, i := range all {
		if len(all) == 1 || len(untouched.Changed(node.Resolve(u.at(path).Content[i]))) == 0 {
			return i
		}
	}
	if len(all) > 0 {
		return all[0]
	}
	return -1
}

// stamps takes the owners' stamps themselves out.
func (u *undoer) stamps() {
	for _, o := range u.owners {
		for _, i := range u.find(annotationsPath, o.Key) {
			u.remove(annotationsPath, o.Key, i)
			u.touched[annotationsPath] = true
		}
	}
}

// empty takes out the mappings and lists that have become empty, unless they were there before,
// from the innermost on.
func (u *undoer) empty() {
	for _, path := range u.innermostFirst() {
		if !u.isEmpty(path) {
			continue
		}
		above, key := parent(path)
		i := u.find(above, key)
		o, wasThere := u.before(above, key)
		switch {
		case u.at(above).Kind != yaml.MappingNode:
		case wasThere:
			n := u.restored(above, o.Was[above][key])
			u.note(o.Key, above, key, n)
			u.put(above, key, i[0], n)
		case path != "spec": // which a pod template must have
			u.remove(above, key, i[0])
		}
	}
	u.close()
}

// innermostFirst are the paths that something was taken out of, and those above them.
func (u *undoer) innermostFirst() []string {
	depths := map[string]int{}
	for path := range u.touched {
		for path != "" && depths[path] == 0 {
			depths[path] = 1 + strings.Count(path, "/")
			path, _ = parent(path)
		}
	}
	return slices.SortedFunc(maps.Keys(depths), func(a, b string) int {
		return cmp.Or(depths[b]-depths[a], strings.Compare(a, b))
	})
}

// before is the first of the owners that keeps what stood somewhere.
func (u *undoer) before(path, key string) (Owner, bool) {
	if u.kept == nil {
		u.kept = map[Thing]Owner{}
		for _, o := range slices.Backward(u.owners) {
			for path, texts := range o.Was {
				for key := range texts {
					u.kept[Thing{path, key}] = o
				}
			}
		}
	}
	o, known := u.kept[Thing{path, key}]
	return o, known
}
