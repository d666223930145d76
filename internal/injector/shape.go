package injector

import (
	"fmt"
	"reflect"
	"strings"

	"go.yaml.in/yaml/v3"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"pillion.dev/pillion/internal/yaml/node"
)

// hasShape refuses a node that is not of the shape of its type, with the words to mend it.
func (d *decoder) hasShape(n *yaml.Node, t reflect.Type, at path) bool {
	shape := shapeOf(t)
	if n.Kind == shape {
		return true
	}
	message := fmt.Sprintf("expected %s, found %s", expected(t), node.Describe(n))
	switch {
	case shape == yaml.SequenceNode:
		message += `; begin each entry with "- "`
	case t.Kind() == reflect.Struct && n.Kind == yaml.SequenceNode:
		message += "; its fields are " + strings.Join(firstFew(d.fieldsOf(t).names), ", ")
	case shape == yaml.MappingNode && n.Kind == yaml.SequenceNode:
		message += `; write its keys without "- "`
	case t == reflect.TypeFor[dataText]():
		message += `; write "|" behind the key, which makes a text of the lines below`
	}
	d.malform(problem{at: at, current: n.Value, message: message})
	return false
}

// firstFew keeps a list of names short enough to read.
func firstFew(names []string) []string {
	if len(names) > maxListed {
		return append(names[:maxListed:maxListed], "...")
	}
	return names
}

func shapeOf(t reflect.Type) yaml.Kind {
	switch t.Kind() {
	case reflect.Struct, reflect.Map:
		return yaml.MappingNode
	case reflect.Slice:
		return yaml.SequenceNode
	}
	return yaml.ScalarNode
}

// expected is what a type looks like, in words.
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
