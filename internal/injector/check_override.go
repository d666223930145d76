package injector

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/schema"
	"pillion.dev/pillion/internal/spelling"
)

// checkOverrides checks that each field that may be overridden is one value of a container.
func (c checker) checkOverrides(at path, name string, allowed []string, sidecar bool) {
	for i, field := range allowed {
		place := at.key("allowOverride").index(i)
		if field == "name" {
			c.refusef(place, field, "the name tells which container an annotation is for, so none can change it; remove it")
			continue
		}
		if field == "restartPolicy" && sidecar {
			c.refusef(place, field, "a plain container has no restart policy of its own; remove it, and write mode: Native for a native sidecar")
			continue
		}
		if _, wrong := overridable(field); wrong != nil {
			wrong.at = place
			c.refuse(*wrong)
			continue
		}
		annotation := v1alpha1.OverridePrefix + name + "." + field
		if faults := validation.IsQualifiedName(annotation); len(faults) > 0 && !c.isMoot(at.key("name")) {
			c.refusef(place, field, "no annotation can be called %s: %s; remove it", clip(annotation, 2*maxShown), faults[0])
		}
	}
}

// overridable is the type of a container's field by its path, or what is wrong with the path.
func overridable(field string) (reflect.Type, *problem) {
	t, at := reflect.TypeFor[corev1.Container](), ""
	for _, name := range stepsTo(field) {
		next, wrong := stepInto(t, at, name)
		if wrong != nil {
			wrong.current = field
			return nil, wrong
		}
		t, at = next, strings.TrimPrefix(at+"."+name, ".")
	}
	if isLeaf(t) {
		return t, nil
	}
	inner := "KEY"
	switch names := fieldNames(t); {
	case len(names) > 0:
		inner = names[0]
	case t.Key() == reflect.TypeFor[corev1.ResourceName]():
		inner = resourceNames[0]
	}
	return nil, &problem{current: field, message: fmt.Sprintf(
		"%s is a mapping, and an annotation sets one value; name a field inside it, such as %[1]s.%s", at, inner)}
}

// stepsTo are the keys on the way to a field. The keys of a mapping that has no fields may
// themselves have dots.
func stepsTo(field string) []string {
	var steps []string
	t := reflect.TypeFor[corev1.Container]()
	for t != nil && t.Kind() == reflect.Struct {
		name, rest, more := strings.Cut(field, ".")
		steps, field = append(steps, name), rest
		if !more {
			return steps
		}
		t = fieldType(t, name)
	}
	return append(steps, field)
}

// stepInto is the type of what stands under a name inside a type.
func stepInto(t reflect.Type, at, name string) (reflect.Type, *problem) {
	switch {
	case t.Kind() == reflect.Map:
		return t.Elem(), wrongResource(t, at, name)
	case isLeaf(t):
		return nil, &problem{message: fmt.Sprintf("%s is one value and has no field %q; write %[1]s", at, clip(name, maxShown))}
	}
	bare, _, indexed := strings.Cut(name, "[")
	next := fieldType(t, bare)
	switch {
	case next == nil || indexed && next.Kind() != reflect.Slice:
		return nil, noField(at, name, fieldNames(t))
	case next.Kind() == reflect.Slice:
		return nil, &problem{message: fmt.Sprintf("%s is a list, and an annotation sets one value; name a field of one value, such as image",
			strings.TrimPrefix(at+"."+bare, "."))}
	}
	return next, nil
}

// isLeaf tells that a type is one value.
func isLeaf(t reflect.Type) bool {
	switch t {
	case reflect.TypeFor[resource.Quantity](), reflect.TypeFor[intstr.IntOrString]():
		return true
	}
	return t.Kind() != reflect.Struct && t.Kind() != reflect.Map
}

// fieldType is the type of a struct's field, or nil where it has none of the name.
func fieldType(t reflect.Type, name string) reflect.Type {
	for _, field := range schema.Fields(t) {
		if field.Name != name {
			continue
		}
		if field.Type.Kind() == reflect.Pointer {
			return field.Type.Elem()
		}
		return field.Type
	}
	return nil
}

// fieldNames are the names of a struct's fields; a mapping without fixed ones has none.
func fieldNames(t reflect.Type) []string {
	if t.Kind() != reflect.Struct {
		return nil
	}
	fields := schema.Fields(t)
	names := make([]string, len(fields))
	for i, field := range fields {
		names[i] = field.Name
	}
	return names
}

func noField(at, name string, names []string) *problem {
	where := at
	if where == "" {
		where = "a container"
	}
	unknown := &problem{message: fmt.Sprintf("%s has no field %q", where, clip(name, maxShown))}
	if near := spelling.Nearest(name, names); near != "" {
		unknown.proposed = strings.TrimPrefix(at+"."+near, ".")
		unknown.message += "; did you mean " + unknown.proposed + "?"
	} else {
		unknown.message += "; known are " + strings.Join(firstFew(names), ", ")
	}
	return unknown
}

// resourceNames are the resources that Kubernetes itself has; others have a domain in front,
// whose slash an annotation's name cannot hold.
var resourceNames = []string{"cpu", "memory", "ephemeral-storage"}

func wrongResource(t reflect.Type, at, name string) *problem {
	if t.Key() != reflect.TypeFor[corev1.ResourceName]() || slices.Contains(resourceNames, name) ||
		strings.HasPrefix(name, corev1.ResourceHugePagesPrefix) || strings.Contains(name, "/") {
		return nil
	}
	return noField(at, name, resourceNames)
}
