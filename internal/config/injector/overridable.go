package injector

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation"

	"pillion.dev/pillion/internal/config/schema"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/jsonfield"
	"pillion.dev/pillion/internal/text/spelling"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// checkOverrides reports fields in allowOverride that an annotation cannot set.
func (c checker) checkOverrides(at schema.Path, container payloadContainer) {
	for i, field := range container.AllowOverride {
		fieldAt := at.Key("allowOverride").Index(i)
		annotation := overrideKey(container.Name, field)
		_, _, found := overridable(field)
		switch faults := validation.IsQualifiedName(annotation); {
		case field == "name":
			c.Refusef(fieldAt, field,
				"the name identifies the container of an annotation, so no annotation can change it; remove it")
		case found != nil:
			found.At = fieldAt
			c.Refuse(*found)
		case len(faults) > 0 && !c.IsUndecided(at.Key("name")):
			c.Refusef(fieldAt, field,
				"no annotation can be called %s: %s; remove it", schema.Clip(annotation, 2*schema.MaxShown), faults[0])
		}
	}
}

// overridable splits the path of a container's field, and returns the field's type, or why an annotation cannot set it.
// Keys of a mapping without fixed fields may contain dots.
func overridable(field string) (steps []string, t reflect.Type, found *schema.Problem) {
	t = reflect.TypeFor[corev1.Container]()
	at := ""
	rest := field
	more := true
	for more && found == nil {
		name := rest
		if more = false; t.Kind() == reflect.Struct {
			name, rest, more = strings.Cut(rest, ".")
		}
		t, found = stepInto(t, at, name)
		steps = append(steps, name)
		at = node.Join(at, name)
	}
	if found == nil && !isOneValue(t) {
		example := "KEY"
		if t.Kind() == reflect.Struct {
			example = jsonfield.Of(t)[0].Name
		} else if hasResourceNames(t) {
			example = resourceNames[0]
		}
		found = &schema.Problem{Message: fmt.Sprintf(
			"%s is a mapping, and an annotation sets one value; name a field inside it, such as %[1]s.%s", at, example)}
	}
	if found != nil {
		found.Current = field
		return nil, nil, found
	}
	return steps, t, nil
}

// stepInto returns the type of the field or key of a type.
func stepInto(t reflect.Type, at, name string) (reflect.Type, *schema.Problem) {
	if isOneValue(t) {
		return nil, &schema.Problem{Message: fmt.Sprintf(
			"%s is one value and has no field %q; write %[1]s", at, schema.Shown(name))}
	}
	withoutIndex, _, isIndexed := strings.Cut(name, "[")
	inner := pod.Pointed(pod.Type(t, withoutIndex))
	switch {
	case hasResourceNames(t) && !isResourceName(name):
		return nil, unknownIn(at, name, resourceNames)
	case inner == nil || isIndexed && inner.Kind() != reflect.Slice && t.Kind() == reflect.Struct:
		return nil, unknownIn(at, name, jsonfield.Of(t).Names())
	case inner.Kind() == reflect.Slice:
		return nil, &schema.Problem{Message: fmt.Sprintf(
			"%s is a list, and an annotation sets one value; name a field of one value, such as image",
			node.Join(at, withoutIndex))}
	}
	return inner, nil
}

// isOneValue reports whether the values of a type are scalars.
func isOneValue(t reflect.Type) bool {
	switch t {
	case reflect.TypeFor[resource.Quantity](), reflect.TypeFor[intstr.IntOrString]():
		return true
	}
	return t.Kind() != reflect.Struct && t.Kind() != reflect.Map
}

func unknownIn(at, name string, known []string) *schema.Problem {
	found := &schema.Problem{Message: fmt.Sprintf("%s has no field %q", cmp.Or(at, "a container"), schema.Shown(name))}
	if near := spelling.Nearest(name, known); near != "" {
		found.Proposed = node.Join(at, near)
		found.Message += "; did you mean " + found.Proposed + "?"
	} else {
		found.Message += "; known are " + schema.Listed(known)
	}
	return found
}

// resourceNames are Kubernetes' own resources. The names of others have a slash, which the name of an annotation cannot
// have.
var resourceNames = []string{"cpu", "memory", "ephemeral-storage"}

func isResourceName(name string) bool {
	return slices.Contains(resourceNames, name) || strings.HasPrefix(name, corev1.ResourceHugePagesPrefix) ||
		strings.Contains(name, "/")
}

func hasResourceNames(t reflect.Type) bool { return t == reflect.TypeFor[corev1.ResourceList]() }
