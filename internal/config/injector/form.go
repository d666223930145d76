package injector

import (
	"reflect"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/config/schema"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// form is a SidecarInjector as nodes, without aliases, and where its values were written. Configs of other kinds are
// converted to it, so that everything behind it knows one kind only.
type form struct {
	injector  *node.Node
	positions schema.Positions

	kind      string // SidecarSet, if it was written as one; else empty
	isItem    bool   // of a list
	isDecoded bool   // by the types of another kind, so that what is wrong with its values was reported
	autoPlain bool   // mode Auto is plain, and native in pods that finish, as in a ConfigMap
	literal   bool   // the payload has no variables
}

// formReader converts configs to forms.
type formReader struct{ *schema.Decoder }

// forms returns the injectors of a config of any kind.
func (d formReader) forms(config *node.Node) []form {
	if !d.CheckNodeKind(config, reflect.TypeFor[v1alpha1.SidecarInjector](), "") {
		return nil
	}
	switch [2]string{d.Object.APIVersion, d.Object.Kind} {
	case [2]string{v1alpha1.APIVersion, v1alpha1.Kind}:
		return []form{{injector: config}}
	case [2]string{v1alpha1.APIVersion, v1alpha1.ListKind}:
		return d.readList(config)
	case [2]string{"v1", configMapKind}:
		return []form{d.readConfigMap(config)}
	case [2]string{sidecarSetAlpha, sidecarSetKind}, [2]string{sidecarSetBeta, sidecarSetKind}:
		return []form{d.readSidecarSet(config)}
	}
	d.refuseKind()
	return nil
}

// injectorList is a SidecarInjectorList without its items. These are decoded one by one, so that each finding names its
// injector.
type injectorList struct {
	APIVersion string             `json:"apiVersion"`
	Kind       string             `json:"kind"`
	Metadata   *v1alpha1.Metadata `json:"metadata,omitempty"`
	Items      []schema.Ignored   `json:"items"`
}

func (d formReader) readList(config *node.Node) []form {
	d.Decode(config, &injectorList{}, "")
	items := node.List(config, "items")
	switch {
	case len(items) == 0:
		d.Missing("items", "the list has no injectors; write at least one SidecarInjector under items")
	case len(items) > maxInjectors:
		d.Refusef("items", "",
			"the list has %d injectors; the most is %d, so split it over several functions", len(items), maxInjectors)
		return nil
	}
	forms := make([]form, len(items))
	for i, item := range items {
		forms[i] = form{injector: item, positions: schema.Positions{"": schema.Path("items").Index(i)}, isItem: true}
	}
	return forms
}
