package transformers

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
	corev1 "k8s.io/api/core/v1"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/finding"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/jsonfield"
	"pillion.dev/pillion/internal/node"
)

// mergeContainer fills the app's container up with what the payload says and it does not: the
// app declares a container of the sidecar's name, and its fields win.
func mergeContainer(pod *Pod, in *injector.Injector, list string, at int, body *yaml.Node) []finding.Finding {
	m := merger{onConflict: in.Spec.OnConflict, container: node.Text(body, "name")}
	m.fill(pod.own(list, at), body, reflect.TypeFor[corev1.Container](), pod.at(list, at))
	if m.changed {
		pod.note("merges into", list, body)
	}
	pod.ours(node.Text(body, "name"))
	return m.met
}

// merger brings what the payload says into what the pod has.
type merger struct {
	onConflict v1alpha1.OnConflict
	container  string // whose fields these are, for people
	// grows says that lists without a key take up entries that they do not have, and that
	// entries of one key are filled up. In a container, such lists are one value: a command.
	grows bool
	// tellsKept says what the app keeps of its own.
	tellsKept bool

	changed bool
	put     []string // the keys of entries of lists that were added or replaced
	met     []finding.Finding
}

// whole are types that hold one choice, or whose parts mean something together alone, such as
// a probe's httpGet or exec: two of them do not add up, and the pod's stands.
var whole = map[reflect.Type]bool{
	reflect.TypeFor[corev1.Probe]():                    true,
	reflect.TypeFor[corev1.Lifecycle]():                true,
	reflect.TypeFor[corev1.SeccompProfile]():           true,
	reflect.TypeFor[corev1.AppArmorProfile]():          true,
	reflect.TypeFor[corev1.NodeSelector]():             true, // its terms are alternatives: one more asks for less
	reflect.TypeFor[corev1.TopologySpreadConstraint](): true,
	reflect.TypeFor[corev1.PodResourceClaim]():         true,
}

// fill adds to a mapping what another has and it has not.
func (m *merger) fill(into, from *yaml.Node, t reflect.Type, path string) {
	for _, name := range node.Keys(from) {
		m.fillField(into, from, name, t, path)
	}
}

// fillField brings one field of a mapping into another. Lists that Kubernetes merges by a key
// are filled up entry by entry; other lists are one value, unless the merger lets them grow.
func (m *merger) fillField(into, from *yaml.Node, name string, t reflect.Type, path string) {
	value, present := node.Get(from, name), node.Get(into, name)
	inner, key := fieldOf(t, name)
	switch {
	case node.IsNull(value):
	case node.IsNull(present):
		node.Set(into, name, node.Fresh(value))
		m.changed = true
	case present.Kind == yaml.MappingNode && value.Kind == yaml.MappingNode:
		if !whole[inner] {
			m.fill(node.Own(into, name), value, inner, path+"."+name)
		}
	case present.Kind != yaml.SequenceNode || value.Kind != yaml.SequenceNode:
	case key != "":
		m.fillList(node.Own(into, name), node.List(value), keyedList{name, key, inner, path + "." + name})
	case m.grows:
		m.addMissing(node.Own(into, name), node.List(value), equalOrNamesake)
	}
}

// addMissing adds to a list the entries that it has no like of.
func (m *merger) addMissing(into *yaml.Node, entries []*yaml.Node, like func(a, b *yaml.Node) bool) {
	for _, entry := range entries {
		if !slices.ContainsFunc(into.Content, func(present *yaml.Node) bool { return like(present, entry) }) {
			node.Insert(into, len(into.Content), node.Fresh(entry))
			m.changed = true
		}
	}
}

// equalOrNamesake takes entries of one name for one thing, such as a sysctl: the pod's stands.
func equalOrNamesake(a, b *yaml.Node) bool {
	name := node.Text(a, "name")
	return name != "" && name == node.Text(b, "name") || node.Equal(a, b)
}

// fieldOf is the type of a field of a Kubernetes type, lists and pointers taken off, and the
// key by which Kubernetes merges its entries where it is such a list.
func fieldOf(t reflect.Type, name string) (reflect.Type, string) {
	if t == nil || t.Kind() != reflect.Struct {
		return nil, ""
	}
	for _, field := range jsonfield.Of(t) {
		if field.Name != name {
			continue
		}
		inner := field.Type
		for inner.Kind() == reflect.Pointer || inner.Kind() == reflect.Slice {
			inner = inner.Elem()
		}
		return inner, field.MergeKey
	}
	return nil, ""
}

// keyedList is a list whose entries Kubernetes tells apart by a key.
type keyedList struct {
	name, key string
	entry     reflect.Type
	path      string
}

func (m *merger) fillList(into *yaml.Node, entries []*yaml.Node, list keyedList) {
	for _, entry := range entries {
		if at := findKeyed(into.Content, entry, list.key); at >= 0 {
			m.meet(into, at, entry, list)
			continue
		}
		m.insert(into, len(into.Content), entry, list)
	}
}

func (m *merger) insert(into *yaml.Node, at int, entry *yaml.Node, list keyedList) {
	node.Insert(into, at, node.Fresh(entry))
	m.note(entry, list)
}

func (m *merger) note(entry *yaml.Node, list keyedList) {
	m.changed = true
	m.put = append(m.put, node.Text(entry, list.key))
}

// meet decides about an entry whose key the list has already.
func (m *merger) meet(into *yaml.Node, at int, entry *yaml.Node, list keyedList) {
	if node.Equal(into.Content[at], entry) {
		return
	}
	policy, place := m.policyFor(list.name), list.path+"["+strconv.Itoa(at)+"]"
	switch policy.choice {
	case v1alpha1.ConflictReplace:
		into.Content[at] = node.Fresh(entry)
		dropLater(into, at, entry, list.key)
		if place := behindUsed(into.Content, entry); list.name == "env" && place > at+1 {
			moved := into.Content[at]
			into.Content = slices.Delete(slices.Clone(into.Content), at, at+1)
			node.Insert(into, place-1, moved)
		}
		m.note(entry, list)
	case v1alpha1.ConflictError:
		f := problem(finding.Error, policy.code, place,
			"%s %q of the app's container %q differs from the injector's; make them equal, or set spec.onConflict.%s to %s",
			policy.what, node.Text(entry, list.key), m.container, policy.field, policy.waysOut)
		f.Field.Current, f.Field.Proposed = node.Brief(into.Content[at]), node.Brief(entry)
		m.met = append(m.met, f)
	default:
		if m.grows && !whole[list.entry] {
			m.fill(node.OwnEntry(into, at), entry, list.entry, place)
		}
		if m.tellsKept {
			m.met = append(m.met, problem(finding.Info, policy.code, place,
				"%s %q of the app's container %q differs from the injector's and stays as it is (spec.onConflict.%s: Keep)",
				policy.what, node.Text(entry, list.key), m.container, policy.field))
		}
	}
}

// policy is what the config says about conflicts in a list, and the words for one.
type policy struct {
	code                 finding.Code
	choice               v1alpha1.Conflict
	what, field, waysOut string
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

// dropLater removes what stands again under the key behind a replaced entry: of a variable that
// is set twice, Kubernetes takes the last.
func dropLater(into *yaml.Node, at int, entry *yaml.Node, key string) {
	for again := at + 1; ; {
		next := findKeyed(into.Content[again:], entry, key)
		if next < 0 {
			return
		}
		again += next
		into.Content = slices.Delete(slices.Clone(into.Content), again, again+1)
	}
}

// findKeyed finds the entry of the same key. Kubernetes' own key of a port is its number alone,
// which takes 53/UDP for 53/TCP; the protocol belongs to it, and a name is there once.
func findKeyed(entries []*yaml.Node, wanted *yaml.Node, key string) int {
	b := node.Text(wanted, key)
	return slices.IndexFunc(entries, func(entry *yaml.Node) bool {
		a := node.Text(entry, key)
		switch key {
		case "containerPort":
			return clash(entry, wanted)
		case "mountPath": // /x and /x/ are one place
			return strings.TrimRight(a, "/") == strings.TrimRight(b, "/")
		case "topologyKey": // Kubernetes' key of these has two parts, and the tag one
			return a == b && node.Text(entry, "whenUnsatisfiable") == node.Text(wanted, "whenUnsatisfiable")
		}
		return a == b
	})
}
