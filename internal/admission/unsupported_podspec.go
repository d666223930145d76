package admission

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"pillion.dev/pillion/internal/pod"
	"pillion.dev/pillion/internal/yaml/node"
	"pillion.dev/pillion/internal/yaml/read"
)

// mostKeyed bounds the entries of a list of the pod spec that are told apart by keys: the API server allows twice as many at most.
const mostKeyed = 100

func (l *limits) addPodSpec() {
	for key, value := range node.Fields(l.in.PodSpec) {
		switch field, row := "podSpec."+key, pod.InSpec(key); {
		case node.IsNull(value):
		case row.Adds:
			l.add(field, "the API server adds %s before policies run, which cannot be told from those of the pod; set it in the workloads", key)
		case row.Early:
			l.add(field, "the API server sets or uses it before policies run, so that they are too late; set it in the workloads")
		default:
			l.addLists(field, row, value, pod.Type(reflect.TypeFor[corev1.PodSpec](), key))
		}
	}
}

// addLists reports entries of lists that a policy would not combine with the pod's in the way that Pillion does.
func (l *limits) addLists(field string, row *pod.Row, value *node.Node, t reflect.Type) {
	switch value = node.Resolve(value); value.Kind {
	case node.MappingNode:
		if row.Whole { // it is set as a whole
			return
		}
		for name, part := range node.Fields(value) {
			l.addLists(field+"."+name, row.Child(name), part, pod.Type(t, name))
		}
	case node.SequenceNode:
		l.addIf(len(value.Content) > mostKeyed && row.IsKeyed(), field,
			"it has %d entries, and to compare each of them with each of the pod's costs more than the API server allows; use at most %d",
			len(value.Content), mostKeyed)
		if len(value.Content) > 1 {
			l.addVarying(field, row)
		}
		for i, entry := range value.Content {
			l.addEntry(fmt.Sprintf("%s[%d]", field, i), row, node.Resolve(entry), pod.Element(t))
		}
	}
}

// addEntry reports an entry of a list that cannot be compared with the pod's.
func (l *limits) addEntry(field string, row *pod.Row, entry *node.Node, t reflect.Type) {
	written, isSame := asWritten(entry, t)
	switch {
	case row.IsKeyed() && row.Key(entry) == "":
		l.add(field, "it has no %s, by which entries are told apart; set it", strings.Join(row.Keys, " and no "))
	case row.Grows:
		for name, part := range node.Fields(entry) {
			l.addLists(field+"."+name, row.Child(name), part, pod.Type(t, name))
		}
	case !row.IsKeyed() && !isSame:
		l.add(field, "the API server keeps it as %s, so that a policy cannot compare it with those of the pod; write it in this way", written)
	}
}

// addVarying reports variables by which entries of a list may become the same ones in some pods.
func (l *limits) addVarying(field string, row *pod.Row) {
	prefix := fieldPath(l.in, field) + "["
	for _, at := range l.in.Variables() {
		index, rest, isPart := strings.Cut(strings.TrimPrefix(at, prefix), "]")
		isKey := !row.IsKeyed() || slices.Contains(row.Keys, strings.TrimPrefix(rest, "."))
		if strings.HasPrefix(at, prefix) && isPart && isKey {
			l.add(fmt.Sprintf("%s[%s]", field, index), "a variable may make it the same as another entry of the list; write the value instead")
		}
	}
}

// asWritten returns a value as the API server writes it, and whether it is the same: empty fields are left out, and required ones are
// there. If the value cannot be read, it returns why.
func asWritten(value *node.Node, t reflect.Type) (string, bool) {
	text, err := retyped(value, t)
	if err != nil {
		return err.Error(), false
	}
	var written node.Node
	if err := read.Into(text, &written); err != nil {
		return err.Error(), false
	}
	return string(text), node.Equal(value, written.Content[0])
}

// retyped returns the JSON of a value after it was read into a type.
func retyped(value *node.Node, t reflect.Type) ([]byte, error) {
	var plain any
	if err := value.Decode(&plain); err != nil {
		return nil, err
	}
	text, err := json.Marshal(plain)
	if err != nil || t == nil {
		return text, err
	}
	typed := reflect.New(t)
	if err := json.Unmarshal(text, typed.Interface()); err != nil {
		return nil, err
	}
	return json.Marshal(typed.Interface())
}
