package payload

import (
	"slices"
	"strconv"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/meter"
	"pillion.dev/pillion/internal/pod"
	"pillion.dev/pillion/internal/yaml/node"
)

// mergeContainer adds to a container of the app the fields of the payload's container of that name that it does not have.
func mergeContainer(p *Pod, list string, at int, body *yaml.Node) []finding.Finding {
	m := merger{onConflict: p.payload.Spec.OnConflict, container: node.Text(body, "name")}
	m.fill(node.OwnEntry(node.Own(p.Spec(), list), at), body, p.entryAt(list, at), pod.At("spec/containers/*"))
	if m.changed {
		p.changed = true
	}
	p.keepFields(m.container, p.entryAt(list, at), m.fields)
	p.kept = append(p.kept, m.kept...)
	p.setHas(node.Text(body, "name"))
	return m.findings
}

// merger adds what the payload has to what the pod has.
type merger struct {
	onConflict v1alpha1.OnConflict
	container  string // for messages
	// grows adds missing entries to lists without a key, and missing fields to entries of the same key. In a container, a list
	// without a key is one value: a command.
	grows bool
	room  *meter.Room

	changed  bool
	findings []finding.Finding
	fields   []keptField       // of the app that stay, although the payload has other values
	kept     []finding.Finding // the same for entries of lists
}

// fill adds to a mapping the fields of another that it does not have.
func (m *merger) fill(into, from *yaml.Node, path string, row *pod.Row) {
	for _, name := range node.Keys(from) {
		m.fillField(into, from, name, path, row.Child(name))
	}
}

// fillField adds one field of a mapping to another, given the row of the field. Lists that Kubernetes merges by a key are merged entry by
// entry; other lists are one value, unless the merger grows them.
func (m *merger) fillField(into, from *yaml.Node, name, path string, row *pod.Row) {
	value, present := node.Get(from, name), node.Get(into, name)
	switch {
	case node.IsNull(value):
	case node.IsNull(present):
		node.Set(into, name, node.Fresh(value))
		m.changed = true
	case present.Kind == yaml.MappingNode && value.Kind == yaml.MappingNode:
		if row.Whole {
			m.keepField(path+"."+name, present, value)
			return
		}
		m.fill(node.Own(into, name), value, path+"."+name, row)
	case present.Kind != yaml.SequenceNode || value.Kind != yaml.SequenceNode:
		m.keepField(path+"."+name, present, value)
	case row.IsKeyed():
		m.fillList(node.Own(into, name), node.List(value), keyedList{row: row, path: path + "." + name})
	case m.grows:
		m.addMissing(node.Own(into, name), node.List(value))
	default:
		m.keepField(path+"."+name, present, value)
	}
}

// addMissing adds to a list the entries that it does not have.
func (m *merger) addMissing(into *yaml.Node, entries []*yaml.Node) {
	for _, entry := range entries {
		if !slices.ContainsFunc(into.Content, func(present *yaml.Node) bool { return node.Equal(present, entry) }) {
			node.Insert(into, len(into.Content), node.Fresh(entry))
			m.changed = true
		}
	}
}

// keyedList is a list whose entries Kubernetes tells apart by a key.
type keyedList struct {
	row    *pod.Row
	path   string
	before []*yaml.Node // before variables were inserted in front; nil if entries are only added at the end
}

// at returns the path of an entry, given its index in the list as it is now.
func (l keyedList) at(into *yaml.Node, index int) string {
	if was := slices.Index(l.before, into.Content[index]); was >= 0 {
		index = was
	}
	return l.path + "[" + strconv.Itoa(index) + "]"
}

func (m *merger) fillList(into *yaml.Node, entries []*yaml.Node, list keyedList) {
	for _, entry := range entries {
		if at := list.row.Find(into.Content, entry); at >= 0 {
			m.settle(into, at, entry, list)
			continue
		}
		m.insert(into, len(into.Content), entry)
	}
}

func (m *merger) insert(into *yaml.Node, at int, entry *yaml.Node) {
	if m.room.Take(node.Weight(entry)) {
		node.Insert(into, at, node.Fresh(entry))
		m.changed = true
	}
}

// settle settles the conflict with an entry of the same key.
func (m *merger) settle(into *yaml.Node, at int, entry *yaml.Node, list keyedList) {
	row, taken := list.row, list.row.Taken
	choice := taken.Choice(m.onConflict)
	if row.Expands && choice == v1alpha1.ConflictKeep {
		at = lastOf(into.Content, row.HasKeyOf(entry)) // which Kubernetes uses
	}
	if node.Equal(into.Content[at], entry) {
		return
	}
	place := list.at(into, at)
	switch choice {
	case v1alpha1.ConflictReplace:
		into.Content[at] = node.Fresh(entry)
		dropLater(into, at, row.HasKeyOf(entry))
		if place := behindUsed(into.Content, entry); row.Expands && place > at+1 {
			m.reportUnexpanded(into.Content[at+1:place], list, entry)
			moved := into.Content[at]
			into.Content = slices.Delete(slices.Clone(into.Content), at, at+1)
			node.Insert(into, place-1, moved)
		}
		m.changed = true
	case v1alpha1.ConflictError:
		choices := "Keep"
		if taken.Replace {
			choices += " or Replace"
		}
		f := newFinding(finding.Error, taken.Code, place,
			"%s %q of the app's container %q differs from the injector's; make them equal, or set spec.onConflict.%s to %s",
			row.KeyNoun(), row.Key(entry), m.container, taken.Field, choices)
		f.Field.Current, f.Field.Proposed = node.Brief(into.Content[at]), node.Brief(entry)
		m.findings = append(m.findings, f)
	default:
		if m.grows && row.Grows {
			m.fill(node.OwnEntry(into, at), entry, place, row.Child(row.Key(entry)))
			return
		}
		m.keepEntry(place, row, into.Content[at], entry)
	}
}

// lastOf returns the index of the last entry that has a key.
func lastOf(entries []*yaml.Node, hasKey func(*yaml.Node) bool) int {
	at := len(entries) - 1
	for at > 0 && !hasKey(entries[at]) {
		at--
	}
	return at
}

// dropLater removes entries of the same key behind a replaced one: if a variable is set twice, Kubernetes uses the last.
func dropLater(into *yaml.Node, at int, hasKey func(*yaml.Node) bool) {
	later := slices.DeleteFunc(slices.Clone(into.Content[at+1:]), hasKey)
	into.Content = append(into.Content[:at+1:at+1], later...)
}
