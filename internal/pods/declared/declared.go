// Package declared compares what an injector declares with what an API server returns. A live pod has defaults,
// quantities in canonical form, and whatever plugins, webhooks and other injectors added. So only declared fields
// count: each of them is there and has the same meaning to Kubernetes.
package declared

import (
	"fmt"
	"reflect"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/intstr"

	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/pods/resources"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// Difference is a declared field that a live object does not have, or not with the declared meaning.
type Difference struct {
	Path     string     // such as resources.limits.cpu or env[LOG_LEVEL].value; empty for the object itself
	Declared *node.Node // nil if the live object has an entry too many in a list that is compared as a whole
	Live     *node.Node // nil if it is missing
}

// InPod returns the differences of a value at a path in a pod, such as spec, containers, or metadata, labels. A key of
// a list stands for its entry.
func InPod(declared, live *node.Node, path ...string) []Difference {
	t, name, isEntry := reflect.TypeFor[corev1.Pod](), "", false
	for _, step := range path {
		if isEntry = pod.Pointed(t) != nil && pod.Pointed(t).Kind() == reflect.Slice; isEntry {
			t, name = pod.Pointed(t).Elem(), "" // the step is a key
			continue
		}
		t, name = pod.Type(t, step), step
	}
	if isEntry && node.IsNull(live) {
		return []Difference{{Declared: declared}}
	}
	c := comparison{}
	c.value("", name, declared, live, t, pod.Of(path...))
	return c.differences
}

type comparison struct{ differences []Difference }

func (c *comparison) add(path string, declared, live *node.Node) {
	c.differences = append(c.differences, Difference{path, declared, live})
}

// fields compares the declared fields of a mapping. The live one may be nil: fields with a zero value are left out by
// the API server, and so are mappings of only such fields.
func (c *comparison) fields(path string, declared, live *node.Node, t reflect.Type, row *pod.Row) {
	for key, value := range node.Fields(declared) {
		if !node.IsNull(value) {
			c.value(node.Join(path, key), key, value, node.Get(live, key), pod.Type(t, key), row.Child(key))
		}
	}
}

// value compares a value that has a name, such as that of its field, and its row. The type is nil if it is not known.
func (c *comparison) value(path, name string, declared, live *node.Node, t reflect.Type, row *pod.Row) {
	declared, live = node.Resolve(declared), node.Resolve(live)
	if node.IsNull(live) {
		live = nil
	}
	isPointer := t != nil && t.Kind() == reflect.Pointer
	t = pod.Pointed(t)
	if t == reflect.TypeFor[resource.Quantity]() {
		if !resources.Equal(declared, live) {
			c.add(path, declared, live)
		}
		return
	}
	isKept := isPointer && live == nil // the API server keeps a mapping behind a pointer even if it is empty
	hasKind := live == nil || live.Kind == declared.Kind
	if declared.Kind == node.MappingNode && hasKind && !isKept {
		c.fields(path, declared, live, t, row)
		return
	}
	if declared.Kind == node.SequenceNode && hasKind {
		c.list(path, declared, live, t, row)
		return
	}
	mayBeUnset := !isPointer && (live == nil || pod.IsDefaulted(name))
	if mayBeUnset && isZero(declared, t) || isSameScalar(declared, live, t) {
		return
	}
	c.add(path, declared, live)
}

// list compares lists. If entries have keys, others may be between them; the entries of other lists are compared by
// their index.
func (c *comparison) list(path string, declared, live *node.Node, t reflect.Type, row *pod.Row) {
	element := pod.Element(t)
	wanted, found := node.List(declared), node.List(live)
	switch {
	case row.IsKeyed():
		c.keyed(path, wanted, found, element, row)
		return
	case row.Adds:
		for i, entry := range wanted {
			if !slices.ContainsFunc(found, func(other *node.Node) bool { return isSame(entry, other, element, row.Child(path)) }) {
				c.add(fmt.Sprintf("%s[%d]", path, i), entry, nil)
			}
		}
		return
	}
	for i := range max(len(wanted), len(found)) {
		at := fmt.Sprintf("%s[%d]", path, i)
		switch {
		case i >= len(wanted):
			c.add(at, nil, found[i])
			return // one of them is enough
		case i >= len(found):
			c.add(at, wanted[i], nil)
		default:
			c.value(at, "", wanted[i], found[i], element, row.Child(at))
		}
	}
}

// keyed compares entries that have keys. If several have the same, as variables may, the last ones are compared,
// because these take effect.
func (c *comparison) keyed(path string, wanted, found []*node.Node, element reflect.Type, row *pod.Row) {
	byKey := map[string][]*node.Node{}
	for _, entry := range found {
		key := row.Key(entry)
		byKey[key] = append(byKey[key], entry)
	}
	left := map[string]int{} // how many are declared from here on
	for _, entry := range wanted {
		left[row.Key(entry)]++
	}
	for _, entry := range wanted {
		key := row.Key(entry)
		at, same := fmt.Sprintf("%s[%s]", path, key), byKey[key]
		if i := len(same) - left[key]; i >= 0 {
			c.value(at, "", entry, same[i], element, row.Child(key))
		} else {
			c.add(at, entry, nil)
		}
		left[key]--
	}
}

// isSame reports whether everything that is declared is in a live value.
func isSame(declared, live *node.Node, t reflect.Type, row *pod.Row) bool {
	c := comparison{}
	c.value("", "", declared, live, t, row)
	return len(c.differences) == 0
}

// isZero reports whether a scalar is the zero value of its type.
func isZero(n *node.Node, t reflect.Type) bool {
	if n.Kind != node.ScalarNode {
		return false
	}
	if t != nil && t.Kind() == reflect.String {
		return n.Value == ""
	}
	value := node.Scalar(n)
	return value == nil || reflect.ValueOf(value).IsZero()
}

// isSameScalar reports whether two scalars mean the same to Kubernetes. A string field takes the text, whatever YAML
// makes of it.
func isSameScalar(declared, live *node.Node, t reflect.Type) bool {
	if live == nil || live.Kind != node.ScalarNode || declared.Kind != node.ScalarNode {
		return false
	}
	if t != nil && t.Kind() == reflect.String && t != reflect.TypeFor[intstr.IntOrString]() {
		return declared.Value == live.Value
	}
	return node.Equal(declared, live)
}
