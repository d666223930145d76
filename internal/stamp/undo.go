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
}

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
		Undone:   Undone{Texts: map[*yaml.Node]string{}, origins: map[int]*yaml.Node{}, roots: map[int]string{}},
		template: template, owners: owners, others: others,
		gone: map[string]bool{}, touched: map[string]bool{}, opened: map[string]*yaml.Node{},
	}
	u.open()
	for _, owner := range owners {
		u.owner(owner)
	}
	u.cuts()
	u.stamps()
	u.empty()
	u.closeObjects()
	return u.Undone
}

type undoer struct {
	Undone
	template       *yaml.Node
	owners, others []Owner
	gone           map[string]bool       // what was taken out
	touched        map[string]bool       // the mappings and lists that something was taken out of
	opened         map[string]*yaml.Node // annotations that are mappings for the time being, as they were
}

func (u *undoer) owner(o Owner) {
	for _, path := range slices.Sorted(maps.Keys(o.Added)) {
		for _, key := range slices.Sorted(maps.Keys(o.Added[path])) {
			if at := join(path, key); !u.gone[at] && !u.isShared(path, key) {
				u.gone[at] = true
				u.take(o, path, key)
			}
		}
	}
}

// isShared tells whether another injector wants it, too.
func (u *undoer) isShared(path, key string) bool { return isAdded(u.others, path, key) }

func isAdded(by []Owner, path, key string) bool {
	return slices.ContainsFunc(by, func(o Owner) bool { return o.Adds(path, key) })
}

// take takes one thing out, and puts back what it had replaced.
func (u *undoer) take(o Owner, path, key string) {
	in := owned(u.template, path)
	i := u.find(in, path, key, o.Added[path][key])
	if i < 0 {
		u.Drifts = append(u.Drifts, Drift{Owner: o.Key, Path: path, Key: key})
		return
	}
	u.touched[path] = true
	present := node.Resolve(in.Content[i])
	for _, field := range o.Added[path][key].Changed(present) {
		u.Drifts = append(u.Drifts, Drift{o.Key, path, key, field, present})
	}
	if was, replaced := o.Was[path][key]; replaced {
		in.Content[i] = u.restored(was)
		return
	}
	if in.Kind == yaml.MappingNode {
		i--
		in.Content = slices.Delete(in.Content, i, i+2)
		return
	}
	in.Content = slices.Delete(in.Content, i, i+1)
}

// find is the index of a value or an entry, or -1. Of several of one key, it is the one that
// nobody changed.
func (*undoer) find(in *yaml.Node, path, key string, untouched Print) int {
	found := -1
	switch {
	case node.IsNull(in):
	case in.Kind == yaml.MappingNode:
		for i := 0; i+1 < len(in.Content); i += 2 {
			if in.Content[i].Value == key {
				return i + 1
			}
		}
	case in.Kind == yaml.SequenceNode:
		for i, entry := range in.Content {
			if KeyOf(last(path), node.Resolve(entry)) != key {
				continue
			}
			if len(untouched.Changed(node.Resolve(entry))) == 0 {
				return i
			}
			if found < 0 {
				found = i
			}
		}
	}
	return found
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

// cuts puts back the entries that were taken out of lists, each once.
func (u *undoer) cuts() {
	put := map[string]bool{}
	for _, o := range u.owners {
		for _, path := range slices.Sorted(maps.Keys(o.Cut)) {
			isCut := func(other Owner) bool { return len(other.Cut[path]) > 0 }
			list := owned(u.template, path)
			if put[path] || slices.ContainsFunc(u.others, isCut) || list == nil || list.Kind != yaml.SequenceNode {
				continue
			}
			put[path] = true
			for _, entry := range o.Cut[path] {
				node.Insert(list, min(entry.At, len(list.Content)), u.restored(entry.Text))
			}
		}
	}
}

// stamps takes the owners' stamps themselves out.
func (u *undoer) stamps() {
	annotations := owned(u.template, annotationsPath)
	for _, o := range u.owners {
		if i := u.find(annotations, annotationsPath, o.Key, Print{}); i > 0 {
			annotations.Content = slices.Delete(annotations.Content, i-1, i+1)
			u.touched[annotationsPath] = true
		}
	}
}

// empty takes out the mappings and lists that have become empty, unless they were there before.
func (u *undoer) empty() {
	for len(u.touched) > 0 {
		path := slices.MaxFunc(slices.Sorted(maps.Keys(u.touched)), func(a, b string) int {
			return cmp.Compare(strings.Count(a, "/"), strings.Count(b, "/"))
		})
		delete(u.touched, path)
		if path == "" {
			continue
		}
		if n := owned(u.template, path); n == nil || len(n.Content) > 0 {
			continue
		}
		above, key := parent(path)
		in := owned(u.template, above)
		if in.Kind != yaml.MappingNode {
			continue
		}
		i := u.find(in, above, key, Print{})
		if text, wasThere := u.before(above, key); wasThere {
			in.Content[i] = u.restored(text)
			continue
		}
		in.Content = slices.Delete(in.Content, i-1, i+1)
		u.touched[above] = true
	}
}

func (u *undoer) before(path, key string) (string, bool) {
	for _, o := range u.owners {
		if text, known := o.Was[path][key]; known {
			return text, true
		}
	}
	return "", false
}
