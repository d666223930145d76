// Package form converts configs of any kind to nodes of SidecarInjectors: a SidecarInjector, a list of them, a classic
// ConfigMap, or OpenKruise's SidecarSet. A foreign kind has files of its own: its types, what it does differently, and
// what is wrong with it beyond the rules for injectors. Nothing behind this package knows its fields.
//
// What was moved has its place in Positions, so that findings name what was written.
package form

import (
	"reflect"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/config/schema"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// Form is a SidecarInjector as nodes, without aliases, and where its values were written. Configs of other kinds are
// converted to it, so that everything behind it knows one kind only.
type Form struct {
	Injector  *node.Node
	Positions schema.Positions

	Kind      string // SidecarSet, if it was written as one; else empty
	IsItem    bool   // of a list
	IsDecoded bool   // by the types of another kind, so that what is wrong with its values was reported
	AutoPlain bool   // mode Auto is plain, and native in pods that finish, as in a ConfigMap
	Literal   bool   // the payload has no variables
}

// Read returns the injectors of a config of any kind, without aliases. The decoder reads what is not part of an
// injector, and gets the problems.
func Read(config *node.Node, decoder *schema.Decoder) []Form {
	d := reader{decoder}
	if isAbsent(config) {
		d.Malformf("", "", "%s", noConfig)
		return nil
	}
	if !d.CheckNodeKind(config, reflect.TypeFor[v1alpha1.SidecarInjector](), "") {
		return nil
	}
	switch [2]string{d.Object.APIVersion, d.Object.Kind} {
	case [2]string{v1alpha1.APIVersion, v1alpha1.Kind}:
		return []Form{{Injector: config}}
	case [2]string{v1alpha1.APIVersion, v1alpha1.ListKind}:
		return d.readList(config)
	case [2]string{"v1", configMapKind}:
		return []Form{d.readConfigMap(config)}
	case [2]string{sidecarSetAlpha, SidecarSetKind}, [2]string{sidecarSetBeta, SidecarSetKind}:
		return []Form{d.readSidecarSet(config)}
	}
	d.refuseKind()
	return nil
}

type reader struct{ *schema.Decoder }

// MaxInjectors bounds the injectors of a run, because each is compared with each pod.
const MaxInjectors = 1000

// injectorList is a SidecarInjectorList without its items. These are decoded one by one, so that each finding names its
// injector.
type injectorList struct {
	APIVersion string             `json:"apiVersion"`
	Kind       string             `json:"kind"`
	Metadata   *v1alpha1.Metadata `json:"metadata,omitempty"`
	Items      []schema.Ignored   `json:"items"`
}

func (d reader) readList(config *node.Node) []Form {
	d.Decode(config, &injectorList{}, "")
	items := node.List(config, "items")
	switch {
	case len(items) == 0:
		d.Missing("items", "the list has no injectors; write at least one SidecarInjector under items")
	case len(items) > MaxInjectors:
		d.Refusef("items", "",
			"the list has %d injectors; the most is %d, so split it over several functions", len(items), MaxInjectors)
		return nil
	}
	forms := make([]Form, len(items))
	for i, item := range items {
		forms[i] = Form{Injector: item, Positions: schema.Positions{"": schema.Path("items").Index(i)}, IsItem: true}
	}
	return forms
}
