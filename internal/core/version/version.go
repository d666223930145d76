// Package version writes versions of a pod template, and nothing else does.
//
//   - [Version.With] puts in what an injector wants, as its ledger says it, and [Version.Order] puts the lists in order
//     when all have put in what they want.
//   - [Undo] removes what stamps name, and puts back what was replaced.
//   - [Rebase] gives the parts of a version that came out the same as in the file their old nodes, and with these their
//     text.
//
// [Difference] says what became of a version, and a [Drift] is what a person has changed in what was put in.
package version

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/ledger"
	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/escape"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// Version is a pod template with what injectors have put in.
type Version struct {
	// Template is the pod template, safe to change.
	pod.Template
	// App is what no injector has put in.
	App *stamp.View
	// Before has the indexes that findings show.
	Before *stamp.View
	// Owners are the injectors that have put something in.
	Owners *ledger.Owners
	// Index finds the entries of the lists.
	Index *Index
	// Clones is the memory of what is changed. It may be nil.
	Clones *node.Clones
}

// With writes what one more injector wants. What others have put in as well stays as it is: it is equal, or a clash that
// is known. New entries go to the ends of their lists, which are put in order when all is written. The findings are
// about values that cannot be joined to what others have put in, and about containers that are not there.
func (v Version) With(entries ledger.Entries) []finding.Finding {
	w := v.writer()
	for i := range entries {
		w.put(&entries[i])
	}
	return w.findings
}

// writer writes into a version. What is on the way to a change is copied once.
type writer struct {
	Version
	root     editableNode
	nodes    [8]editableNode          // the first ones that were asked for
	count    int                      // of nodes
	rest     map[string]*editableNode // the others by their paths; nil for most writers
	findings []finding.Finding
}

func (v Version) writer() *writer {
	return &writer{
		Version: v,
		root:    editableNode{now: v.Node, clones: v.Clones},
	}
}

// Order puts the lists into which entries were put in order, once all are there. It sorts the entries by list.
func (v Version) Order(order *Order, placed ledger.Entries) {
	var w *writer // of what is not in order already
	slices.SortStableFunc(placed, func(a, b ledger.Entry) int { return strings.Compare(a.Path, b.Path) })
	for len(placed) > 0 {
		path := placed[0].Path
		count := slices.IndexFunc(placed, func(p ledger.Entry) bool { return p.Path != path })
		if count < 0 {
			count = len(placed)
		}
		inList := placed[:count]
		placed = placed[count:]
		if order.IsAppended(path, inList) {
			continue
		}
		if w == nil {
			w = v.writer()
		}
		list := w.at(path)
		entries := node.List(list.now)
		if made := order.List(path, entries, inList); !slices.Equal(made, entries) {
			list.own().Content = made
		}
	}
}

// put writes an entry.
func (w *writer) put(wanted *ledger.Entry) {
	switch {
	case wanted.IsApps():
	case wanted.Verb == ledger.Join:
		w.join(wanted)
	case wanted.IsEntry:
		w.putEntry(wanted)
	default:
		w.putValue(w.at(wanted.Path), wanted.Address, wanted.Value)
	}
}

// at returns the mapping or list at a path.
func (w *writer) at(path string) *editableNode {
	if path == "" {
		return &w.root
	}
	if known := w.known(path); known != nil {
		return known
	}
	to := stamp.AddressOf(path)
	above := w.at(to.Path)
	inside := above.fieldAt(to.Key)
	if above.now != nil && above.now.Kind == node.SequenceNode {
		index := w.Index.Find(to, above.now.Content)
		if index < 0 { // nothing is lost silently
			w.report(finding.ContainerMissing, w.At("spec"),
				"%s %q of the app, which gets something, is not in the pod; restore it", pod.At(to.Path).Noun, to.Key)
			return &editableNode{now: node.Mapping()}
		}
		inside = above.entryAt(index)
		inside.own() // because the index may change
	}
	inside.path = path
	if w.count < len(w.nodes) {
		w.nodes[w.count] = inside
		w.count++
		return &w.nodes[w.count-1]
	}
	if w.rest == nil {
		w.rest = map[string]*editableNode{}
	}
	w.rest[path] = &inside
	return &inside
}

// known returns the mapping or list at a path if it was asked for before.
func (w *writer) known(path string) *editableNode {
	for i := range w.nodes[:w.count] {
		if w.nodes[i].path == path {
			return &w.nodes[i]
		}
	}
	return w.rest[path]
}

// indexOf returns the index of an entry of a list, or -1.
func (w *writer) indexOf(at stamp.Address) int {
	list := w.at(at.Path).now
	if list == nil || list.Kind != node.SequenceNode {
		return -1
	}
	return w.Index.Find(at, list.Content)
}

// add adds an entry to a list. Two containers of a pod do not share one.
func (w *writer) add(at stamp.Address, entry *node.Node) {
	list := w.at(at.Path).own()
	w.Index.note(at, len(list.Content))
	node.Insert(list, len(list.Content), ownIn(at.Path, entry))
}

// ownIn returns an entry as it goes into a list. Containers of the app do not share one.
func ownIn(path string, entry *node.Node) *node.Node {
	if stamp.ContainerOf(path) == (stamp.Address{}) {
		return entry
	}
	return node.Fresh(entry)
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
	case isBoth(node.SequenceNode) && node.IsNull(w.App.At(at.Path, at.Key)):
		for _, entry := range value.Content {
			inside := at.Child(stamp.KeyOf(at.Inside(), entry))
			if w.indexOf(inside) < 0 {
				w.add(inside, node.Fresh(entry))
			}
		}
	case !w.Owners.Has(at):
		set(into, at.Key, node.Fresh(value))
		w.forget(at)
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
	if index < 0 {
		w.add(wanted.Address, wanted.Value)
		return
	}
	into := w.at(wanted.Path).own()
	w.forget(wanted.Address)
	into.Content[index] = ownIn(wanted.Path, wanted.Value)
}

// forget forgets what is known of what is inside of something that is replaced.
func (w *writer) forget(replaced stamp.Address) {
	w.Index.forget(replaced)
	for i := range w.nodes[:w.count] {
		if isInside(replaced, w.nodes[i].path) {
			w.nodes[i] = editableNode{} // which no path leads to
		}
	}
	maps.DeleteFunc(w.rest, func(path string, _ *editableNode) bool { return isInside(replaced, path) })
}

func (w *writer) report(code finding.Code, path, format string, args ...any) {
	w.findings = append(w.findings, newFinding(code, path, format, args...))
}

func newFinding(code finding.Code, path, format string, args ...any) finding.Finding {
	return finding.Finding{
		Severity: finding.Error,
		Code:     code,
		Message:  fmt.Sprintf(format, escape.ClipArgs(args)...),
		Field:    &finding.Field{Path: path},
	}
}
