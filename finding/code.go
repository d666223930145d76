package finding

// Code is the reason behind a finding, stable for machines to match on.
type Code string

// Outcomes of an injection.
const (
	Injected  Code = "Injected"
	Updated   Code = "Updated"
	Removed   Code = "Removed"
	Unchanged Code = "Unchanged"
	HeldBack  Code = "HeldBack"
	OutOfDate Code = "OutOfDate"
)

// Reasons to leave a pod template alone.
const (
	SelectorMismatch       Code = "SelectorMismatch"
	NamespaceExcluded      Code = "NamespaceExcluded"
	NamespaceLabelsUnknown Code = "NamespaceLabelsUnknown"
	NeverSelector          Code = "NeverSelector"
	RuleMismatch           Code = "RuleMismatch"
	NameMismatch           Code = "NameMismatch"
	OptedOut               Code = "OptedOut"
	NotOptedIn             Code = "NotOptedIn"
	MarkerMisplaced        Code = "MarkerMisplaced"
	MarkerUnclear          Code = "MarkerUnclear"
	LocalConfig            Code = "LocalConfig"
	MirrorPod              Code = "MirrorPod"
	LiveObject             Code = "LiveObject"
	WorkloadRef            Code = "WorkloadRef"
	NoPodTemplate          Code = "NoPodTemplate"
	UnsupportedKind        Code = "UnsupportedKind"
	HostNetwork            Code = "HostNetwork"
	JobSkipped             Code = "JobSkipped"
	HelmHook               Code = "HelmHook"
	Paused                 Code = "Paused"
	NothingToRemove        Code = "NothingToRemove"
)

// Problems that an injection would make or meet.
const (
	ContainerConflict  Code = "ContainerConflict"
	VolumeConflict     Code = "VolumeConflict"
	PortConflict       Code = "PortConflict"
	MountConflict      Code = "MountConflict"
	EnvConflict        Code = "EnvConflict"
	DanglingMount      Code = "DanglingMount"
	EnvSourceMissing   Code = "EnvSourceMissing"
	MountNotShared     Code = "MountNotShared"
	NoTargetContainers Code = "NoTargetContainers"
	ResourcesRefused   Code = "ResourcesRefused"
	NativeUnsupported  Code = "NativeUnsupported"
	NativeReadiness    Code = "NativeReadiness"
	NoContainers       Code = "NoContainers"
	JobNeverEnds       Code = "JobNeverEnds"
	KnativeLimits      Code = "KnativeLimits"
	PositionMissing    Code = "PositionMissing"
	ContainerMissing   Code = "ContainerMissing"
	SelectorLabel      Code = "SelectorLabel"
	AnnotationNotJSON  Code = "AnnotationNotJSON"
	SharedByAlias      Code = "SharedByAlias"
	WrittenAnew        Code = "WrittenAnew"
	CommentsMoved      Code = "CommentsMoved"
	// What differs from pod to pod: variables, and overrides by annotation.
	VariableUnset      Code = "VariableUnset"
	VariableInvalid    Code = "VariableInvalid"
	OverrideNotAllowed Code = "OverrideNotAllowed"
	OverrideInvalid    Code = "OverrideInvalid"
)

// What stamps tell, or cannot tell.
const (
	Drifted          Code = "Drifted"
	StampBroken      Code = "StampBroken"
	StampTooLong     Code = "StampTooLong"
	Unstamped        Code = "Unstamped"
	InjectorConflict Code = "InjectorConflict"
)

// What the checks of the pod after the merge find, and what they make of the payload.
const (
	InvalidVolume    Code = "InvalidVolume"
	InvalidResources Code = "InvalidResources"
	InvalidMount     Code = "InvalidMount"
	InvalidContainer Code = "InvalidContainer"
	InvalidPod       Code = "InvalidPod"
	PodSecurity      Code = "PodSecurity"
	NoResources      Code = "NoResources"
	NoDigest         Code = "NoDigest"
	WebhookMarker    Code = "WebhookMarker"
	ReferenceMissing Code = "ReferenceMissing"

	AnnotationsTooLong Code = "AnnotationsTooLong"
)

// Cost is what the sidecars of a run take from the cluster.
const Cost Code = "Cost"

// NotExportable is a field of the config that cannot be said in another tool's terms.
const NotExportable Code = "NotExportable"

// Problems with the run as a whole, its stream and its config.
const (
	TooFewMatches  Code = "TooFewMatches"
	TooManyMatches Code = "TooManyMatches"
	InvalidConfig  Code = "InvalidConfig"
	InvalidItem    Code = "InvalidItem"
	RepeatedKey    Code = "RepeatedKey"
)
