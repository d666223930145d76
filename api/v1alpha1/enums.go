package v1alpha1

import (
	"reflect"
	"slices"

	corev1 "k8s.io/api/core/v1"
)

// allowed holds the values of string types. Of Kubernetes' types, it has only those that rarely get new values,
// because a value that is newer than this program must be accepted.
var allowed = map[reflect.Type][]string{
	reflect.TypeFor[Action]():               Words(Inject, Remove, Verify),
	reflect.TypeFor[OnDrift]():              Words(DriftOverwrite, DriftError),
	reflect.TypeFor[SelectorScope]():        Words(ScopePodTemplate, ScopeWorkload),
	reflect.TypeFor[Policy]():               Words(PolicyEnabled, PolicyDisabled),
	reflect.TypeFor[Mode]():                 Words(ModeAuto, ModeNative, ModeContainer),
	reflect.TypeFor[PodInjectPolicy]():      Words(AfterAppContainer, BeforeAppContainer),
	reflect.TypeFor[EnvPosition]():          Words(EnvPrepend, EnvAppend),
	reflect.TypeFor[JoinOrder]():            Words(JoinAfter, JoinBefore),
	reflect.TypeFor[PatchPolicy]():          Words(PatchRetain, PatchOverwrite, PatchMergeJSON),
	reflect.TypeFor[Conflict]():             Words(ConflictError, ConflictKeep, ConflictReplace),
	reflect.TypeFor[ContainerConflict]():    Words(ContainerError, ContainerKeep, ContainerMerge, ContainerReplace),
	reflect.TypeFor[PortConflict]():         Words(PortError, PortKeep),
	reflect.TypeFor[PodSecurityLevel]():     Words(PodSecurityBaseline, PodSecurityRestricted),
	reflect.TypeFor[CheckLevel]():           Words(CheckOff, CheckWarn, CheckError),
	reflect.TypeFor[JobPolicy]():            Words(JobsNative, JobsInject, JobsSkip, JobsError),
	reflect.TypeFor[PodPolicy]():            Words(PodInject, PodSkip, PodError),
	reflect.TypeFor[HelmReleases]():         Words(ReleasesReport, ReleasesPatch),
	reflect.TypeFor[ShareType]():            Words(ShareEnabled, ShareDisabled),
	reflect.TypeFor[TargetContainersMode](): Words(TargetContainersSum, TargetContainersMax),
	reflect.TypeFor[LoadRestrictor]():       Words(LoadRestrictorRootOnly, LoadRestrictorNone),
	reflect.TypeFor[ReportLevel]():          Words(ReportInfo, ReportWarning, ReportError),

	reflect.TypeFor[corev1.Protocol]():   Words(corev1.ProtocolTCP, corev1.ProtocolUDP, corev1.ProtocolSCTP),
	reflect.TypeFor[corev1.PullPolicy](): Words(corev1.PullAlways, corev1.PullNever, corev1.PullIfNotPresent),
	reflect.TypeFor[corev1.URIScheme]():  Words(corev1.URISchemeHTTP, corev1.URISchemeHTTPS),
	reflect.TypeFor[corev1.TerminationMessagePolicy](): Words(
		corev1.TerminationMessageReadFile, corev1.TerminationMessageFallbackToLogsOnError),
	reflect.TypeFor[corev1.MountPropagationMode](): Words(
		corev1.MountPropagationNone, corev1.MountPropagationHostToContainer, corev1.MountPropagationBidirectional),
	reflect.TypeFor[corev1.ContainerRestartPolicy](): Words(
		corev1.ContainerRestartPolicyAlways, corev1.ContainerRestartPolicyNever, corev1.ContainerRestartPolicyOnFailure),
}

// Allowed returns the values that the type of a string may have, or nil if it may have any.
func Allowed(value any) []string { return slices.Clone(allowed[reflect.TypeOf(value)]) }

// Words converts values of a string type to strings.
func Words[T ~string](values ...T) []string {
	texts := make([]string, len(values))
	for i, value := range values {
		texts[i] = string(value)
	}
	return texts
}
