package stamp

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/node"
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

// Holds tells whether a path leads into what was changed.
func (d Drift) Holds(path string) bool { return strings.HasPrefix(path+"/", join(d.Path, d.Key)+"/") }

// Undone is a pod template without what some of its stamps speak of.
type Undone struct {
	// Drifts is what a person had changed; it was taken out all the same.
	Drifts []Drift
	// Texts is how the nodes were written that were put back.
	Texts map[*yaml.Node]string

	origins map[int]*yaml.Node // of nodes that were put back, by their column: the nodes of the text
	roots   map[int]string     // the texts, by the column of the node
}

// Undo takes out of a template, which must be safe to change, what the owners put in, and puts
// back what stood there before. What one of the others put in as well stays.
func Undo(template *yaml.Node, owners, others []Owner) Undone {
	if len(owners) == 0 {
		return Undone{}
	}
	u := undoer{
		Undone: Undone{Texts: map[*yaml.Node]string{}, origins: map[int]*yaml.Node{}, roots: map[int]string{}},
		tree:   newTree(template), owners: owners, others: others,
		taken: map[string]bool{}, touched: map[string]bool{}, opened: map[string]*yaml.Node{},
	}
	u.open()
	u.takeAll()
	u.cuts()
	u.stamps()
	u.empty()
	u.closeObjects()
	return u.Undone
}

type undoer struct {
	Undone
	*tree
	owners, others []Owner
	taken          map[string]bool       // what was taken out
	touched        map[string]bool       // the mappings and lists that something was taken out of
	opened         map[string]*yaml.Node // annotations that are mappings for the time being, as they were
}

// takeAll takes out what the owners put in: lists before what is in their entries.
func (u *undoer) takeAll() {
	for _, path := range u.paths() {
		for _, o := range u.owners {
			for _, key := range slices.Sorted(maps.Keys(o.Added[path])) {
				if at := join(path, key); !u.taken[at] && !isAdded(u.others, path, key) {
					u.taken[at] = true
					u.take(o, path, key)
				}
			}
		}
	}
	u.close()
	slices.SortStableFunc(u.Drifts, func(a, b Drift) int { return u.rank(a.Owner) - u.rank(b.Owner) })
}

// paths are those that owners have put something into.
func (u *undoer) paths() []string {
	all := map[string]bool{}
	for _, o := range u.owners {
		for path := range o.Added {
			all[path] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

func (u *undoer) rank(key string) int {
	return slices.IndexFunc(u.owners, func(o Owner) bool { return o.Key == key })
}

func isAdded(by []Owner, path, key string) bool {
	return slices.ContainsFunc(by, func(o Owner) bool { return o.Adds(path, key) })
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
		u.put(path, key, i, u.restored(was))
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
	if !replaced || container != "" && isAdded(u.others, list, container) {
		return
	}
	if n := u.restored(was); !node.IsNull(n) {
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

// restored is a node of text that a stamp kept. Columns that no text has tell it, what is in it and
// copies of them from nodes that are new.
func (u *undoer) restored(text string) *yaml.Node {
	original, err := read(text)
	if err != nil {
		panic(err) // Parse has read it
	}
	n := node.Fresh(original)
	u.number(n, original)
	u.Texts[n], u.roots[n.Column] = text, text
	return n
}

func (u *undoer) number(n, original *yaml.Node) {
	n.Column = -1 - len(u.origins)
	u.origins[n.Column] = original
	for i, child := range n.Content {
		u.number(child, original.Content[i])
	}
}

// cuts puts back the entries that were taken out of lists, each once. What one of the others took
// out as well stays out.
func (u *undoer) cuts() {
	cut, stillOut := cutBy(u.owners), cutBy(u.others)
	for _, path := range slices.Sorted(maps.Keys(cut)) {
		list := u.at(path)
		if list == nil || list.Kind != yaml.SequenceNode {
			continue
		}
		for _, entry := range cut[path] {
			if !slices.Contains(stillOut[path], entry) {
				node.Insert(list, u.position(path, list, entry.At, stillOut[path]), u.restored(entry.Text))
			}
		}
		delete(u.index, list)
	}
}

// cutBy is what owners have taken out of lists, each entry once, in the order that they had.
func cutBy(owners []Owner) map[string][]Entry {
	all := map[string][]Entry{}
	for _, o := range owners {
		for path, entries := range o.Cut {
			all[path] = append(all[path], entries...)
		}
	}
	for path, entries := range all {
		slices.SortFunc(entries, func(a, b Entry) int { return cmp.Or(a.At-b.At, strings.Compare(a.Text, b.Text)) })
		all[path] = slices.Compact(entries)
	}
	return all
}

// position is where in a list the entry goes that had an index in the list of the app: the others
// have put entries in, and have others still out.
func (u *undoer) position(path string, list *yaml.Node, index int, stillOut []Entry) int {
	if len(u.others) == 0 {
		return min(index, len(list.Content))
	}
	for _, entry := range stillOut {
		if entry.At < index {
			index--
		}
	}
	at := 0
	for ; at < len(list.Content) && index > 0; at++ {
		if !isOthers(u.others, path, KeyOf(last(path), node.Resolve(list.Content[at]))) {
			index--
		}
	}
	return at
}

// isOthers tells whether one of the others has put in what was not there before.
func isOthers(others []Owner, path, key string) bool {
	return slices.ContainsFunc(others, func(o Owner) bool {
		_, replaced := o.Was[path][key]
		return o.Adds(path, key) && !replaced
	})
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
		text, wasThere := u.before(above, key)
		switch {
		case u.at(above).Kind != yaml.MappingNode:
		case wasThere:
			u.put(above, key, i[0], u.restored(text))
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

func (u *undoer) before(path, key string) (string, bool) {
	for _, o := range u.owners {
		if text, known := o.Was[path][key]; known {
			return text, true
		}
	}
	return "", false
}
