package payload

import (
	"slices"
	"strconv"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/meter"
	"pillion.dev/pillion/internal/podtemplate"
	"pillion.dev/pillion/internal/yaml/node"
)

// mergeContainer adds to a container of the app the fields of the payload's container of that name that it does not have.
func mergeContainer(pod *Pod, list string, at int, body *yaml.Node) []finding.Finding {
	m := merger{onConflict: pod.payload.Spec.OnConflict, container: node.Text(body, "name")}
	m.fill(node.OwnEntry(node.Own(pod.Spec(), list), at), body, pod.entryAt(list, at))
	if m.changed {
		pod.changed = true
	}
	pod.keepFields(m.container, pod.entryAt(list, at), m.fields)
	pod.kept = append(pod.kept, m.kept...)
	pod.setHas(node.Text(body, "name"))
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
func (m *merger) fill(into, from *yaml.Node, path string) {
	for _, name := range node.Keys(from) {
		m.fillField(into, from, name, path)
	}
}

// fillField adds one field of a mapping to another. Lists that Kubernetes merges by a key are merged entry by entry; other lists
// are one value, unless the merger grows them.
func (m *merger) fillField(into, from *yaml.Node, name, path string) {
	value, present := node.Get(from, name), node.Get(into, name)
	switch {
	case node.IsNull(value):
	case node.IsNull(present):
		node.Set(into, name, node.Fresh(value))
		m.changed = true
	case present.Kind == yaml.MappingNode && value.Kind == yaml.MappingNode:
		if podtemplate.IsOneChoice(name) {
			m.keepField(path+"."+name, present, value)
			return
		}
		m.fill(node.Own(into, name), value, path+"."+name)
	case present.Kind != yaml.SequenceNode || value.Kind != yaml.SequenceNode:
		m.keepField(path+"."+name, present, value)
	case podtemplate.IsKeyed(name):
		m.fillList(node.Own(into, name), node.List(value), keyedList{name: name, path: path + "." + name})
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
	name, path string
	before     []*yaml.Node // before variables were inserted in front; nil if entries are only added at the end
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
		if at := podtemplate.FindEntry(list.name, into.Content, entry); at >= 0 {
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
	policy := m.policyFor(list.name)
	if list.name == "env" && policy.choice == v1alpha1.ConflictKeep {
		at = lastOf(into.Content, entry, list.name) // which Kubernetes uses
	}
	if node.Equal(into.Content[at], entry) {
		return
	}
	place := list.at(into, at)
	switch policy.choice {
	case v1alpha1.ConflictReplace:
		into.Content[at] = node.Fresh(entry)
		dropLater(into, at, entry, list.name)
		if place := behindUsed(into.Content, entry); list.name == "env" && place > at+1 {
			m.reportUnexpanded(into.Content[at+1:place], list, entry)
			moved := into.Content[at]
			into.Content = slices.Delete(slices.Clone(into.Content), at, at+1)
			node.Insert(into, place-1, moved)
		}
		m.changed = true
	case v1alpha1.ConflictError:
		f := newFinding(finding.Error, policy.code, place,
			"%s %q of the app's container %q differs from the injector's; make them equal, or set spec.onConflict.%s to %s",
			policy.noun, podtemplate.EntryKey(list.name, entry), m.container, policy.field, policy.choices)
		f.Field.Current, f.Field.Proposed = node.Brief(into.Content[at]), node.Brief(entry)
		m.findings = append(m.findings, f)
	default:
		if m.grows && !podtemplate.IsOneChoice(list.name) {
			m.fill(node.OwnEntry(into, at), entry, place)
			return
		}
		m.keepEntry(place, list.name, into.Content[at], entry, policy)
	}
}

// policy is what to do about a conflict in a list, with the words for messages.
type policy struct {
	code                 finding.Code
	choice               v1alpha1.Conflict
	noun, field, choices string
}

func (m *merger) policyFor(list string) policy {
	switch list {
	case "env":
		return policy{finding.EnvConflict, m.onConflict.Env, "env variable", "env", "Keep or Replace"}
	case "volumeMounts":
		return policy{finding.MountConflict, m.onConflict.MountPath, "mount path", "mountPath", "Keep or Replace"}
	case "volumeDevices":
		return policy{finding.MountConflict, m.onConflict.MountPath, "device path", "mountPath", "Keep or Replace"}
	case "ports":
		return policy{finding.PortConflict, v1alpha1.Conflict(m.onConflict.Port), "port", "port", "Keep"}
	default:
		return policy{choice: v1alpha1.ConflictKeep}
	}
}

// lastOf returns the index of the last entry that has the key of another one.
func lastOf(entries []*yaml.Node, entry *yaml.Node, list string) int {
	hasKey, at := podtemplate.HasKeyOf(list, entry), len(entries)-1
	for at > 0 && !hasKey(entries[at]) {
		at--
	}
	return at
}

// dropLater removes entries of the same key behind a replaced one: if a variable is set twice, Kubernetes uses the last.
func dropLater(into *yaml.Node, at int, entry *yaml.Node, list string) {
	later := slices.DeleteFunc(slices.Clone(into.Content[at+1:]), podtemplate.HasKeyOf(list, entry))
	into.Content = append(into.Content[:at+1:at+1], later...)
}
