package schema

import (
	"fmt"
	"reflect"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/jsonfield"
	"pillion.dev/pillion/internal/text/spelling"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// YAMLText is a string that holds YAML.
type YAMLText string

// CheckNodeKind reports whether a node is a mapping, a list or a scalar as its type is. It refuses other nodes.
func (d *Decoder) CheckNodeKind(n *node.Node, t reflect.Type, at Path) bool {
	kind := nodeKind(t)
	if n.Kind == kind {
		return true
	}
	message := fmt.Sprintf("expected %s, found %s", expected(t), node.Describe(n))
	switch {
	case kind == node.SequenceNode:
		message += `; begin each entry with "- "`
	case t == reflect.TypeFor[metav1.LabelSelector]() && n.Kind == node.ScalarNode:
		message += "; write " + matchLabels(n.Value)
	case t.Kind() == reflect.Struct:
		message += "; its fields are " + Listed(jsonfield.Of(t).Names())
		if t == reflect.TypeFor[v1alpha1.OnConflict]() {
			message += "; write what to do for each, such as onConflict: {container: Keep}"
		}
	case kind == node.MappingNode && n.Kind == node.SequenceNode:
		message += `; write its keys without "- "`
	case t == reflect.TypeFor[YAMLText]():
		message += `; write "|" after the key, which makes the lines below a text`
	}
	d.Malformf(at, n.Value, "%s", message)
	return false
}

// matchLabels returns a selector in the form of kubectl, app=web,tier=front, as a field of a label selector.
func matchLabels(selector string) string {
	var labels []string
	for term := range strings.SplitSeq(selector, ",") {
		key, value, isEqual := strings.Cut(term, "=")
		key = strings.TrimSpace(key)
		value = strings.TrimSpace(strings.TrimPrefix(value, "="))
		if !isEqual || strings.ContainsAny(key, "!:{} ") || strings.ContainsAny(value, "!:{} ") ||
			len(selector) > MaxShown {
			return "its labels under matchLabels, such as matchLabels: {app: web}"
		}
		labels = append(labels, key+": "+value)
	}
	return "matchLabels: {" + strings.Join(labels, ", ") + "}"
}

// MaxListed bounds the names that a message lists.
const MaxListed = 12

// Listed joins names for a message, and leaves out those beyond maxListed.
func Listed(names []string) string {
	if len(names) > MaxListed {
		names = append(names[:MaxListed:MaxListed], "...")
	}
	return strings.Join(names, ", ")
}

func nodeKind(t reflect.Type) node.Kind {
	switch t.Kind() {
	case reflect.Struct, reflect.Map:
		return node.MappingNode
	case reflect.Slice:
		return node.SequenceNode
	}
	return node.ScalarNode
}

// expected describes the values of a type.
func expected(t reflect.Type) string {
	switch t {
	case reflect.TypeFor[resource.Quantity]():
		return "a quantity such as 100m, 0.5 or 512Mi"
	case reflect.TypeFor[intstr.IntOrString]():
		return "a number or a string"
	case reflect.TypeFor[metav1.Time]():
		return "a time such as 2006-01-02T15:04:05Z"
	}
	switch t.Kind() {
	case reflect.Pointer:
		return expected(t.Elem())
	case reflect.Struct, reflect.Map:
		return "a mapping"
	case reflect.Slice:
		return "a list"
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "true or false"
	}
	return "a whole number"
}

// refuseKey refuses a key that is empty, or another one to kubectl than the one that is written.
func (d *Decoder) refuseKey(key *node.Node, at Path) {
	name, isName := node.KeyName(key)
	if !isName {
		d.Malformf(at, "", "a key is empty; write a word")
		return
	}
	d.Malformf(at.Key(key.Value), "", "this key is %q to kubectl; write that, or put the key in quotes", name)
}

// withdrawn are values that fields of earlier versions had, with what to do instead.
var withdrawn = map[any]string{
	v1alpha1.OnDrift("Keep"): "changes by hand do not stay; remove the field, and put them into the config, or let workloads set the field " +
		"by allowOverride",
	v1alpha1.SelectorScope("Any"): "labels are read in one place; write Workload, or leave it out and label the " +
		"pod template",
}

// RefuseField refuses a field that the struct does not have, and proposes the field or the
// place that was probably meant.
func (d *Decoder) RefuseField(name string, t reflect.Type, at Path) {
	unknown := Problem{At: at.Key(name), Current: name}
	if d.IsFull() {
		d.Malform(unknown) // it is only counted, and a search for a near name takes long
		return
	}
	fields := jsonfield.Of(t).Names()
	inside := fieldWith(name, t)
	unknown.Message = fmt.Sprintf("there is no field %q here", Shown(name))
	switch {
	case spelling.Nearest(name, []string{"template"}) != "" && t == reflect.TypeFor[v1alpha1.SidecarInjectorSpec]():
		unknown.Message = "containers, initContainers and volumes are fields of spec itself, " +
			"without a template; move them there"
	case name == "stamp" && t == reflect.TypeFor[v1alpha1.SidecarInjectorSpec]():
		unknown.Message = "every injection leaves a stamp; remove the field, and set adopt: true to take over " +
			"sidecars that have none"
	case name == "podResources" && t == reflect.TypeFor[v1alpha1.SidecarInjectorSpec]():
		unknown.Message = "the resources of a pod itself are the app's, and no injection changes them; remove the field"
	case strings.HasPrefix(name, "sidecar") && t == reflect.TypeFor[v1alpha1.SidecarInjectorSpec]():
		unknown.Proposed = "containers"
		unknown.Message += "; sidecars are listed under containers"
	case t == reflect.TypeFor[v1alpha1.InitContainer]() &&
		jsonfield.Of(reflect.TypeFor[v1alpha1.Container]()).Named(name) != nil:
		unknown.Message += ": sidecars are listed under containers, native ones too; move the container there, " +
			"or remove the field"
	case unknown.Propose(name, fields):
	case inside != "":
		unknown.Proposed = inside + "." + name
		unknown.Message += ", but there is one in " + inside + "; move it there"
	case len(fields) <= MaxListed:
		unknown.Message += "; known are " + Listed(fields)
	case isOfPod(t) && d.Foreign == nil:
		unknown.Message += fmt.Sprintf("; remove it, or if it is newer than Kubernetes 1.%d, set kubernetesVersion",
			pod.Last)
	default:
		unknown.Message += "; remove it"
	}
	d.Malform(unknown)
}

// fieldWith returns the field of t that itself has a field of the name, because a line with too
// little indentation is one level too high.
func fieldWith(name string, t reflect.Type) string {
	for _, outer := range jsonfield.Of(t) {
		inner := outer.Type
		for inner.Kind() == reflect.Pointer || inner.Kind() == reflect.Slice {
			inner = inner.Elem()
		}
		if inner.Kind() != reflect.Struct || UnmarshalsItself(inner) {
			continue
		}
		if jsonfield.Of(inner).Named(name) != nil {
			return outer.Name
		}
	}
	return ""
}
