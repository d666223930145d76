package sidecarset

import "pillion.dev/pillion/api/v1alpha1"

// UpgradeType is how a sidecar is upgraded in place.
type UpgradeType string

// In the place of the container, or with two containers that take turns.
const (
	ColdUpgrade UpgradeType = "ColdUpgrade"
	HotUpgrade  UpgradeType = "HotUpgrade"
)

// RevisionPolicy is when an earlier revision is injected.
type RevisionPolicy string

// The policies.
const (
	RevisionAlways  RevisionPolicy = "Always"
	RevisionPartial RevisionPolicy = "Partial"
)

// UpdateType is whether running pods are updated.
type UpdateType string

// The types.
const (
	NotUpdate     UpdateType = "NotUpdate"
	RollingUpdate UpdateType = "RollingUpdate"
)

// Allowed returns the values of one of these types, or nil for any other type.
func Allowed(value any) []string {
	switch value.(type) {
	case UpgradeType:
		return v1alpha1.Words(ColdUpgrade, HotUpgrade)
	case RevisionPolicy:
		return v1alpha1.Words(RevisionAlways, RevisionPartial)
	case UpdateType:
		return v1alpha1.Words(NotUpdate, RollingUpdate)
	}
	return nil
}
