// Package pod knows the lists and the fields of a pod. There is one table of them; what other packages do with a list
// follows from its row there.
package pod

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// Row is what is known about a list or a field of a pod template. Where nothing is known, a mapping is merged by its
// keys, a scalar is one value, as is a list in a container, and any other list grows by the entries that it lacks.
type Row struct {
	Path string // from the pod template on; * is an entry of a list: spec/containers/*/env

	Keys []string                      // the fields by which entries are told apart; none if their whole content tells
	key  func(entry *node.Node) string // the key of an entry, if it is not the text of the first of these fields
	same func(a, b *node.Node) bool    // whether entries exclude each other even if their keys differ

	Noun    string // an entry, in lists of changes: mount
	keyNoun string // an entry by its key, in conflicts: mount path. The same as Noun if it is empty
	Taken   Taken
	Expands bool // entries are variables: the last one of a name counts, and values use $(NAME) of those before them
	Whole   bool // a mapping whose parts mean something only together, such as the httpGet or exec of a probe: never merged
	Grows   bool // an entry gets the fields that another one of its key has in addition

	AnyOrder bool // the order of entries means nothing

	Refers  string // the kind of the object whose name this is, in a field in which kustomize updates it
	Short   string // the path in a stamp
	Synonym string // another name of the field
	Default string // what the API server sets if there is nothing
	Early   bool   // the API server sets or uses it before policies run
	Adds    bool   // the API server adds entries
	Move    string // why a config does not have it in spec.podSpec, and where it belongs

	nameInKey int // the word of the key that is the name of another object, from 1 on; 0 if there is none

	fields    map[string]*Row // what is inside that has rows
	referring []string        // those of them that have names of other objects in them, in order
}

// Taken is what becomes of an entry whose key is taken by a different one. Without a field, the present one stays.
type Taken struct {
	Field   string // of spec.onConflict
	Code    finding.Code
	Replace bool // whether the choices are Keep and Replace, or only Keep
}

// Choice returns what a config says about conflicts in a list of the app's containers.
func (t Taken) Choice(by v1alpha1.OnConflict) v1alpha1.Conflict {
	switch t.Field {
	case "env":
		return by.Env
	case "mountPath":
		return by.MountPath
	case "port":
		return v1alpha1.Conflict(by.Port)
	default:
		return v1alpha1.ConflictKeep
	}
}

// root is the tree of the rows. A run that only prints its version does without it.
var root = sync.OnceValue(func() *Row { return tree(table) })

// unknown is the row of whatever has none.
var unknown = &Row{}

// anyEntry is the step of a path into any entry of a list.
const anyEntry = "*"

func tree(rows []Row) *Row {
	top := &Row{}
	for i := range rows {
		top.put(&rows[i])
	}
	spec := top.fields["spec"].fields
	spec[Init].fields, spec[Ephemeral].fields = spec[Main].fields, spec[Main].fields
	top.fields["spec"].refersIn(Init) // kustomize does not change ephemeral containers
	spec[Init].refersIn(anyEntry)
	return top
}

// put sets the row at its path.
func (r *Row) put(row *Row) {
	for step := range strings.SplitSeq(row.Path, "/") {
		if row.Refers != "" {
			r.refersIn(step)
		}
		if r.fields == nil {
			r.fields = map[string]*Row{}
		}
		if r.fields[step] == nil {
			r.fields[step] = &Row{}
		}
		r = r.fields[step]
	}
	row.fields, row.referring = r.fields, r.referring
	*r = *row
}

// refersIn notes that there are names of other objects behind a step.
func (r *Row) refersIn(step string) {
	if at, known := slices.BinarySearch(r.referring, step); !known {
		r.referring = slices.Insert(r.referring, at, step)
	}
}

// Child returns the row of a field, or of an entry of a list, whatever its key. It is never nil.
func (r *Row) Child(step string) *Row {
	if row := r.fields[step]; row != nil {
		return row
	}
	return cmp.Or(r.fields[anyEntry], unknown)
}

// Entry returns the row of an entry of a list. It is never nil.
func (r *Row) Entry() *Row { return r.Child(anyEntry) }

// At returns the row at a path of a pod template. The steps into lists are keys of entries: spec/containers/web/env. It
// is never nil.
func At(path string) *Row {
	row := root()
	for path != "" && row != unknown {
		step, rest, _ := strings.Cut(path, "/")
		row, path = row.Child(step), rest
	}
	return row
}

// Of returns the row that steps lead to, as a path does for At. It is never nil.
func Of(steps ...string) *Row {
	row := root()
	for _, step := range steps {
		row = row.Child(step)
	}
	return row
}

// Shortened returns the rows that have a short path in stamps.
func Shortened() [3]*Row { return [3]*Row{InSpec(Main), InSpec(Init), InSpec("volumes")} }

// InSpec returns the row of a field of the pod spec. It is never nil.
func InSpec(field string) *Row { return root().fields["spec"].Child(field) }

// InContainer returns the row of a field of a container. It is never nil.
func InContainer(field string) *Row { return InSpec(Main).Child(anyEntry).Child(field) }

// Name returns the name of the field.
func (r *Row) Name() string { return r.Path[strings.LastIndexByte(r.Path, '/')+1:] }

// KeyNoun returns what messages call an entry by its key: mount path "/data".
func (r *Row) KeyNoun() string { return cmp.Or(r.keyNoun, r.Noun) }

// IsKeyed reports whether the entries of a list have keys. Those of other lists are told apart by their content.
func (r *Row) IsKeyed() bool { return r.Keys != nil }

// RefersInside reports whether the field, or something inside, is the name of another object.
func (r *Row) RefersInside() bool { return len(r.referring) > 0 || r.Refers != "" }

// Key returns the key of an entry of the list. It is empty if the list has no keys, or the entry has none.
func (r *Row) Key(entry *node.Node) string {
	switch {
	case r.key != nil:
		return r.key(entry)
	case r.Keys != nil:
		return node.Text(entry, r.Keys[0])
	default:
		return ""
	}
}

// Find returns the index of the entry of the list that has the key of the wanted one, or -1. Entries without a key are
// compared as a whole, and ports that clash count as the same.
func (r *Row) Find(entries []*node.Node, wanted *node.Node) int {
	return slices.IndexFunc(entries, r.HasKeyOf(wanted))
}

// HasKeyOf returns a function that reports whether an entry of the list has the key of the wanted one, as for Find.
func (r *Row) HasKeyOf(wanted *node.Node) func(entry *node.Node) bool {
	key := r.Key(wanted)
	return func(entry *node.Node) bool {
		if key == "" {
			return node.Equal(entry, wanted)
		}
		return r.Key(entry) == key || r.same != nil && r.same(entry, wanted)
	}
}

// mountPath returns the path of a mount without slashes at the end: /x and /x/ are the same.
func mountPath(entry *node.Node) string {
	path := node.Text(entry, "mountPath")
	return cmp.Or(strings.TrimRight(path, "/"), path)
}

func spread(entry *node.Node) string {
	if topology := node.Text(entry, "topologyKey"); topology != "" {
		return strings.TrimRight(topology+" "+node.Text(entry, "whenUnsatisfiable"), " ")
	}
	return ""
}

// source returns where variables come from, and the prefix of their names.
func source(entry *node.Node) string {
	for _, kind := range []string{"configMapRef", "secretRef"} {
		if name := node.Text(entry, kind, "name"); name != "" {
			return strings.TrimRight(kind+" "+name+" "+node.Text(entry, "prefix"), " ")
		}
	}
	return ""
}
