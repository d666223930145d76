package transformers

import (
	"reflect"
	"strconv"

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
	m := merger{onConflict: in.Spec.OnConflict}
	m.fill(pod.own(list, at), body, reflect.TypeFor[corev1.Container](), pod.at(list, at))
	if m.changed {
		pod.note("merges into", list, body)
	}
	pod.ours(node.Text(body, "name"))
	return m.met
}

type merger struct {
	onConflict v1alpha1.OnConflict
	changed    bool
	met        []finding.Finding
}

// whole are fields that hold one choice among several, such as a probe's httpGet or exec: two of
// them do not add up.
var whole = map[string]bool{"livenessProbe": true, "readinessProbe": true, "startupProbe": true, "lifecycle": true}

// fill adds to a mapping what another has and it has not. Lists that Kubernetes merges by a
// key are filled up entry by entry; other lists are one value, and the app's stands.
func (m *merger) fill(into, from *yaml.Node, t reflect.Type, path string) {
	for _, name := range node.Keys(from) {
		value, present := node.Get(from, name), node.Get(into, name)
		inner, key := fieldOf(t, name)
		switch {
		case node.IsNull(value):
		case node.IsNull(present):
			node.Set(into, name, node.Fresh(value))
			m.changed = true
		case whole[name]:
		case present.Kind == yaml.MappingNode && value.Kind == yaml.MappingNode:
			m.fill(node.Own(into, name), value, inner, path+"."+name)
		case key != "" && present.Kind == yaml.SequenceNode && value.Kind == yaml.SequenceNode:
			m.fillList(node.Own(into, name), value, name, key, path+"."+name)
		}
	}
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

func (m *merger) fillList(into, from *yaml.Node, name, key, path string) {
	for _, entry := range node.List(from) {
		at := findKeyed(node.List(into), entry, key)
		if at < 0 {
			node.Insert(into, len(into.Content), node.Fresh(entry))
			m.changed = true
			continue
		}
		if node.Equal(into.Content[at], entry) {
			continue
		}
		policy := m.policyFor(name)
		switch policy.choice {
		case v1alpha1.ConflictReplace:
			into.Content[at] = node.Fresh(entry)
			m.changed = true
		case v1alpha1.ConflictError:
			f := problem(finding.Error, policy.code, path+"["+strconv.Itoa(at)+"]",
				"%s %q of the app's container differs from the injector's; make them equal, or set spec.onConflict.%s to %s",
				policy.what, node.Text(entry, key), policy.field, policy.waysOut)
			f.Field.Current, f.Field.Proposed = node.Brief(into.Content[at]), node.Brief(entry)
			m.met = append(m.met, f)
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

// findKeyed finds the entry of the same key. Kubernetes' own key of a port is its number alone,
// which takes 53/UDP for 53/TCP; the protocol belongs to it, and a name is there once.
func findKeyed(entries []*yaml.Node, wanted *yaml.Node, key string) int {
	for i, entry := range entries {
		if key == "containerPort" && clash(entry, wanted) || key != "containerPort" && node.Text(entry, key) == node.Text(wanted, key) {
			return i
		}
	}
	return -1
}
