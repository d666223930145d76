package sidecarset

// UpgradeType is how a sidecar is upgraded in place.
type UpgradeType string

// The ways: in the container's place, or with two containers that take turns.
const (
	ColdUpgrade UpgradeType = "ColdUpgrade"
	HotUpgrade  UpgradeType = "HotUpgrade"
)

// ShareType switches sharing on.
type ShareType string

// On and off.
const (
	ShareEnabled  ShareType = "enabled"
	ShareDisabled ShareType = "disabled"
)

// TargetMode is how the resources of several containers become one number.
type TargetMode string

// The modes.
const (
	TargetSum TargetMode = "sum"
	TargetMax TargetMode = "max"
)

// PatchPolicy is what happens to an annotation that the pod has already.
type PatchPolicy string

// The policies; Retain is the default.
const (
	Retain         PatchPolicy = "Retain"
	Overwrite      PatchPolicy = "Overwrite"
	MergePatchJSON PatchPolicy = "MergePatchJson"
)

// RevisionPolicy is when an earlier revision is injected.
type RevisionPolicy string

// The policies.
const (
	RevisionAlways  RevisionPolicy = "Always"
	RevisionPartial RevisionPolicy = "Partial"
)

// UpdateType is whether pods that run are updated.
type UpdateType string

// The types.
const (
	NotUpdate     UpdateType = "NotUpdate"
	RollingUpdate UpdateType = "RollingUpdate"
)

// Allowed lists the values that one of these types may have, or nothing for any other type.
func Allowed(value any) []string {
	switch value.(type) {
	case UpgradeType:
		return words(ColdUpgrade, HotUpgrade)
	case ShareType:
		return words(ShareEnabled, ShareDisabled)
	case TargetMode:
		return words(TargetSum, TargetMax)
	case PatchPolicy:
		return words(Retain, Overwrite, MergePatchJSON)
	case RevisionPolicy:
		return words(RevisionAlways, RevisionPartial)
	case UpdateType:
		return words(NotUpdate, RollingUpdate)
	}
	return nil
}

func words[T ~string](values ...T) []string {
	texts := make([]string, len(values))
	for i, value := range values {
		texts[i] = string(value)
	}
	return texts
}
