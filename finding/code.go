package finding

// Code names the reason behind a finding. Programs can match on codes, which are stable from the first release on. Help
// explains each.
type Code string

// Decisions about workloads that an injector selects.
const (
	Injected  Code = "Injected"
	Updated   Code = "Updated"
	Removed   Code = "Removed"
	Unchanged Code = "Unchanged"
	Patched   Code = "Patched"
	HeldBack  Code = "HeldBack"
	Outdated  Code = "Outdated"
)

// Reasons to leave a workload alone.
const (
	SelectorMismatch       Code = "SelectorMismatch"
	NamespaceExcluded      Code = "NamespaceExcluded"
	NamespaceAmbiguous     Code = "NamespaceAmbiguous"
	NamespaceLabelsUnknown Code = "NamespaceLabelsUnknown"
	NamespaceUnknown       Code = "NamespaceUnknown"
	NeverSelector          Code = "NeverSelector"
	RuleMismatch           Code = "RuleMismatch"
	NameMismatch           Code = "NameMismatch"
	NameExcluded           Code = "NameExcluded"
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
	LeftOut                Code = "LeftOut"
	PatchedAway            Code = "PatchedAway"
	BuildFailed            Code = "BuildFailed"
	NotRendered            Code = "NotRendered"
	WrongVersion           Code = "WrongVersion"
	HostNetwork            Code = "HostNetwork"
	JobSkipped             Code = "JobSkipped"
	HelmHook               Code = "HelmHook"
	Paused                 Code = "Paused"
	NotRolledOut           Code = "NotRolledOut"
	NothingToRemove        Code = "NothingToRemove"
)

// Problems with an injection.
const (
	ContainerConflict  Code = "ContainerConflict"
	VolumeConflict     Code = "VolumeConflict"
	PortConflict       Code = "PortConflict"
	MountConflict      Code = "MountConflict"
	EnvConflict        Code = "EnvConflict"
	PodSpecConflict    Code = "PodSpecConflict"
	MetadataConflict   Code = "MetadataConflict"
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
	KindLimits         Code = "KindLimits"
	PositionMissing    Code = "PositionMissing"
	PositionNotNative  Code = "PositionNotNative"
	ContainerMissing   Code = "ContainerMissing"
	SelectorLabel      Code = "SelectorLabel"
	AnnotationNotJSON  Code = "AnnotationNotJSON"
	Encrypted          Code = "Encrypted"
	SharedByAlias      Code = "SharedByAlias"
	CommentsMoved      Code = "CommentsMoved"
	// Variables, and overrides by annotation, which differ from pod to pod.
	VariableUnset      Code = "VariableUnset"
	VariableInvalid    Code = "VariableInvalid"
	OverrideNotAllowed Code = "OverrideNotAllowed"
	OverrideInvalid    Code = "OverrideInvalid"
)

// Changes by hand, stamps, and conflicts of injectors.
const (
	Drifted              Code = "Drifted"
	Renamed              Code = "Renamed"
	StampBroken          Code = "StampBroken"
	NotRecordable        Code = "NotRecordable"
	StampTooLong         Code = "StampTooLong"
	ForeignStamp         Code = "ForeignStamp"
	Unstamped            Code = "Unstamped"
	PostRendererConflict Code = "PostRendererConflict"
	InjectorConflict     Code = "InjectorConflict"
	// Limits on what a run makes.
	LimitExceeded Code = "LimitExceeded"
	MoreFindings  Code = "MoreFindings"
)

// Problems that checks find in a pod after the injection.
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

// Notes of an audit about live pods.
const (
	Finished         Code = "Finished"
	Terminating      Code = "Terminating"
	ImageFromMirror  Code = "ImageFromMirror"
	ImageMoved       Code = "ImageMoved"
	ResourcesChanged Code = "ResourcesChanged"
)

// The run as a whole, its input and its config.
const (
	Cost             Code = "Cost"
	NotExportable    Code = "NotExportable"
	NotLearned       Code = "NotLearned"
	CredentialHidden Code = "CredentialHidden"
	TooFewMatches    Code = "TooFewMatches"
	TooManyMatches   Code = "TooManyMatches"
	InvalidConfig    Code = "InvalidConfig"
	FieldIgnored     Code = "FieldIgnored"
	UnknownField     Code = "UnknownField"
	InvalidItem      Code = "InvalidItem"
	RepeatedKey      Code = "RepeatedKey"
)

// Tests of injectors.
const (
	NotAsExpected      Code = "NotAsExpected"
	NothingExpected    Code = "NothingExpected"
	InvalidExpectation Code = "InvalidExpectation"
)
