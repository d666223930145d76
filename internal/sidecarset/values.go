package sidecarset

import (
	"reflect"

	"pillion.dev/pillion/api/v1alpha1"
)

// UpgradeType is how a sidecar is upgraded in place.
type UpgradeType string

// The types: the container is replaced, or two containers take turns.
const (
	ColdUpgrade UpgradeType = "ColdUpgrade"
	HotUpgrade  UpgradeType = "HotUpgrade"
)

// RevisionPolicy is when an earlier revision is injected.
type RevisionPolicy string

// The policies of a revision.
const (
	RevisionAlways  RevisionPolicy = "Always"
	RevisionPartial RevisionPolicy = "Partial"
)

// UpdateType is whether running pods are updated.
type UpdateType string

// The types of an update.
const (
	NotUpdate     UpdateType = "NotUpdate"
	RollingUpdate UpdateType = "RollingUpdate"
)

// allowed holds the values of these types.
var allowed = map[reflect.Type][]string{
	reflect.TypeFor[UpgradeType]():    v1alpha1.Words(ColdUpgrade, HotUpgrade),
	reflect.TypeFor[RevisionPolicy](): v1alpha1.Words(RevisionAlways, RevisionPartial),
	reflect.TypeFor[UpdateType]():     v1alpha1.Words(NotUpdate, RollingUpdate),
}

// Allowed returns the values of one of these types, or nil for any other type.
func Allowed(value any) []string { return allowed[reflect.TypeOf(value)] }
