package apply

import (
	"slices"
	"strconv"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/meter"
	"pillion.dev/pillion/internal/pod"
	"pillion.dev/pillion/internal/stamp"
	"pillion.dev/pillion/internal/yaml/node"
)

// mergeContainer adds to a container of the app the fields of the payload's container of that name that it does not have.
// One that another injector has replaced stays as it is: the two are in conflict.
func mergeContainer(p *Pod, t taken, body *yaml.Node) []finding.Finding {
	container := thingIn(t.list, node.Text(body, "name"))
	m := merger{pod: p, onConflict: p.payload.Spec.OnConflict, container: container.Key}
	into := node.Clone(t.app)
	if !t.isOthers {
		into = node.OwnEntry(node.Own(p.Spec(), t.list), t.index)
	}
	m.fill(into, body, p.entryAt(t.list, t.index), container.Inside(), pod.At("spec/containers/*"))
	if isAdding := func(w Wish) bool { return !w.IsApps }; !slices.ContainsFunc(m.wishes, isAdding) {
		m.wishes = append(m.wishes, Wish{Wanted: stamp.Wanted{Thing: container, Value: t.app}, IsApps: true, IsMerged: true})
	}
	p.keepFields(container, m.fields)
	m.giveTo(p)
	p.setHas(container.Key)
	return m.findings
}

// merger adds what the payload has to what the pod has.
type merger struct {
	pod        *Pod
	onConflict v1alpha1.OnConflict
	container  string // for messages
	// grows adds missing entries to lists without a key, and missing fields to entries of the same key. In a container, a list
	// without a key is one value: a command.
	grows bool
	room  *meter.Room

	changed  bool
	wishes   wishes
	findings []finding.Finding
	fields   []wantedField // of the app that stay, if the payload has other values
	kept     []keptThing   // the same for entries of lists
}

// giveTo adds to a pod what the merger has done and wants.
func (m *merger) giveTo(p *Pod) {
	p.changed = p.changed || m.changed
	p.wishes = append(p.wishes, m.wishes...)
	p.kept = append(p.kept, m.kept...)
}

// fill adds to a mapping the fields of another that it does not have. The path is for messages; stamps have the mapping at another one.
func (m *merger) fill(into, from *yaml.Node, path, at string, row *pod.Row) {
	for _, name := range node.Keys(from) {
		m.fillField(into, from, path, stamp.Thing{Path: at, Key: name}, row.Child(name))
	}
}

// fillField adds one field of a mapping to another, given the row of the field. Lists that Kubernetes merges by a key are merged entry by
// entry; other lists are one value, unless the merger grows them.
func (m *merger) fillField(into, from *yaml.Node, path string, at stamp.Thing, row *pod.Row) {
	name := at.Key
	value, present := node.Get(from, name), node.Get(into, name)
	path += "." + name
	isMapping := !node.IsNull(present) && present.Kind == yaml.MappingNode && value.Kind == yaml.MappingNode && !row.Whole
	isList := !node.IsNull(present) && present.Kind == yaml.SequenceNode && value.Kind == yaml.SequenceNode
	switch {
	case node.IsNull(value):
	case node.IsNull(present):
		node.Set(into, name, node.Fresh(value))
		m.wishes.add(at, value)
		m.changed = true
	case isMapping:
		m.fill(node.Own(into, name), value, path, at.Inside(), row)
	case isList && row.IsKeyed():
		m.fillList(node.Own(into, name), node.List(value), keyedList{row: row, path: path, at: at.Inside()})
	case isList && m.grows:
		m.addMissing(node.Own(into, name), node.List(value), at.Inside())
	default:
		if app, _ := m.pod.inApp(at, present); node.IsNull(app) {
			m.wishes.add(at, value)
			return
		}
		m.keepField(at, value)
	}
}

// addMissing adds to the list at a path the entries that it does not have.
func (m *merger) addMissing(into *yaml.Node, entries []*yaml.Node, at string) {
	for _, entry := range entries {
		index := slices.IndexFunc(into.Content, func(present *yaml.Node) bool { return node.Equal(present, entry) })
		key := stamp.Thing{Path: at, Key: stamp.KeyOf(at, entry)}
		if app, _ := m.pod.inApp(key, entryOrNil(into.Content, index)); app != nil {
			continue
		}
		m.wishes.addEntry(at, entry)
		if index < 0 {
			node.Insert(into, len(into.Content), node.Fresh(entry))
			m.changed = true
		}
	}
}

// keyedList is a list whose entries Kubernetes tells apart by a key.
type keyedList struct {
	row    *pod.Row
	path   string       // for messages
	at     string       // as stamps have it
	before []*yaml.Node // before variables were inserted in front; nil if entries are only added at the end
}

// place returns the path of an entry, given its index in the list as it is now.
func (l keyedList) place(into *yaml.Node, index int) string {
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
		m.insert(into, len(into.Content), entry, list)
	}
}

func (m *merger) insert(into *yaml.Node, at int, entry *yaml.Node, list keyedList) {
	if m.room.Take(node.Weight(entry)) {
		node.Insert(into, at, node.Fresh(entry))
		m.wishes.addEntry(list.at, entry)
		m.changed = true
	}
}

// settle settles the conflict with an entry of the same key.
func (m *merger) settle(into *yaml.Node, at int, entry *yaml.Node, list keyedList) {
	row, taken := list.row, list.row.Taken
	choice := taken.Choice(m.onConflict)
	thing := stamp.Thing{Path: list.at, Key: stamp.KeyOf(list.at, into.Content[at])}
	if row.Expands && choice == v1alpha1.ConflictKeep {
		at = lastOf(into.Content, row.HasKeyOf(entry)) // which Kubernetes uses
	}
	app, isOthers := m.pod.inApp(thing, node.Resolve(into.Content[at]))
	switch {
	case app == nil:
		m.wishes.addEntry(list.at, entry)
	case choice == v1alpha1.ConflictReplace && node.Equal(app, entry), choice == v1alpha1.ConflictError && node.Equal(app, entry):
		m.wishes.addApps(thing, entry)
	case choice == v1alpha1.ConflictReplace:
		m.replaceEntry(into, at, entry, list, isOthers)
	case choice == v1alpha1.ConflictError:
		choices := "Keep"
		if taken.Replace {
			choices += " or Replace"
		}
		f := newFinding(finding.Error, taken.Code, list.place(into, at),
			"%s %q of the app's container %q differs from the injector's; make them equal, or set spec.onConflict.%s to %s",
			row.KeyNoun(), row.Key(entry), m.container, taken.Field, choices)
		f.Field.Current, f.Field.Proposed = node.Brief(app), node.Brief(entry)
		m.findings = append(m.findings, m.pod.blameOthers(isOthers, f))
	case m.grows && row.Grows:
		m.fill(node.OwnEntry(into, at), entry, list.place(into, at), thing.Inside(), row.Child(row.Key(entry)))
	default:
		m.keepEntry(list, entry)
	}
}

// replaceEntry replaces an entry of the app, unless another injector has done so. A variable goes behind those that it uses.
func (m *merger) replaceEntry(into *yaml.Node, at int, entry *yaml.Node, list keyedList, isOthers bool) {
	m.wishes.addEntry(list.at, entry)
	wish := &m.wishes[len(m.wishes)-1]
	if isOthers {
		own := m.pod.appEntries(list.at)
		wish.Moves = list.row.Expands && behindUsed(own, entry) > list.row.Find(own, entry)+1
		return
	}
	into.Content[at] = node.Fresh(entry)
	dropLater(into, at, list.row.HasKeyOf(entry))
	if place := behindUsed(into.Content, entry); list.row.Expands && place > at+1 {
		wish.Moves = true
		m.reportUnexpanded(into.Content[at+1:place], list, entry)
		moved := into.Content[at]
		into.Content = slices.Delete(slices.Clone(into.Content), at, at+1)
		node.Insert(into, place-1, moved)
	}
	m.changed = true
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
