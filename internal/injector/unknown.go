package injector

import (
	"fmt"
	"reflect"
	"strings"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/sidecarset"
	"pillion.dev/pillion/internal/spelling"
)

// maxListed bounds the known names that are listed when none of them is near.
const maxListed = 12

// unknownField refuses a field that the struct does not have, with the name or the
// place that was most likely meant.
func (d *decoder) unknownField(name string, t reflect.Type, at path) {
	unknown := problem{at: at.key(name), current: name}
	if d.full() {
		d.malform(unknown) // it is counted alone, and the search for its like is dear
		return
	}
	fields := d.fieldsOf(t)
	near, inside := spelling.Nearest(name, fields.names), d.fieldWith(name, t)
	switch {
	case name == "template" && t == reflect.TypeFor[v1alpha1.SidecarInjectorSpec]():
		unknown.message = "containers, initContainers and volumes stand right under spec, without a template; move them there"
	case name == "namespace" && t == reflect.TypeFor[sidecarset.BetaSpec]():
		unknown.message = "v1beta1 has no namespace; write namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: NAME}}"
	case name == "customVersion" && t == reflect.TypeFor[sidecarset.AlphaSpec]():
		unknown.message = "v1alpha1 has it as the label apps.kruise.io/sidecarset-custom-version; write that, or apiVersion: " + sidecarset.Beta
	case near != "":
		unknown.proposed = near
		unknown.message = fmt.Sprintf("there is no field %q here; did you mean %s?", clip(name, maxShown), near)
	case inside != "":
		unknown.proposed = inside + "." + name
		unknown.message = fmt.Sprintf("there is no field %q here, but there is one in %s; move it there", name, inside)
	case len(fields.names) <= maxListed:
		unknown.message = fmt.Sprintf("there is no field %q here; known are %s", clip(name, maxShown), strings.Join(fields.names, ", "))
	default:
		unknown.message = fmt.Sprintf("there is no field %q here; remove it", clip(name, maxShown))
	}
	d.malform(unknown)
}

// fieldWith is the field of t that has, as its own field, the name: a line that is
// indented too little lands one level too high.
func (d *decoder) fieldWith(name string, t reflect.Type) string {
	fields := d.fieldsOf(t)
	for _, outer := range fields.names {
		inner := fields.byName[outer].Type
		for inner.Kind() == reflect.Pointer || inner.Kind() == reflect.Slice {
			inner = inner.Elem()
		}
		if inner.Kind() != reflect.Struct || unmarshalsItself(inner) {
			continue
		}
		if _, ok := d.fieldsOf(inner).byName[name]; ok {
			return outer
		}
	}
	return ""
}
