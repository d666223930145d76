package v1alpha1

import corev1 "k8s.io/api/core/v1"

// Allowed lists the values that a string type may have, or nothing where any will do.
// Besides Pillion's own types it knows those of Kubernetes whose values have long been
// the same and are easily misspelt; the others grow from release to release, and a
// value that is newer than this program must pass.
func Allowed(value any) []string {
	switch value.(type) {
	case Action:
		return Words(Inject, Remove, Verify)
	case StampMode:
		return Words(StampAnnotation, StampNone)
	case OnDrift:
		return Words(DriftOverwrite, DriftKeep, DriftError)
	case SelectorScope:
		return Words(ScopePodTemplate, ScopeWorkload, ScopeAny)
	case Policy:
		return Words(PolicyEnabled, PolicyDisabled)
	case Mode:
		return Words(ModeAuto, ModeNative, ModeContainer)
	case PodInjectPolicy:
		return Words(AfterAppContainer, BeforeAppContainer)
	case EnvPosition:
		return Words(EnvPrepend, EnvAppend)
	case PatchPolicy:
		return Words(PatchRetain, PatchOverwrite, PatchMergeJSON)
	case Conflict:
		return Words(ConflictError, ConflictKeep, ConflictReplace)
	case ContainerConflict:
		return Words(ContainerError, ContainerKeep, ContainerMerge, ContainerReplace)
	case PortConflict:
		return Words(PortError, PortKeep)
	case PodSecurityLevel:
		return Words(PodSecurityBaseline, PodSecurityRestricted)
	case CheckLevel:
		return Words(CheckOff, CheckWarn, CheckError)
	case JobPolicy:
		return Words(JobsNative, JobsInject, JobsSkip, JobsError)
	case PodPolicy:
		return Words(PodInject, PodSkip, PodError)
	case ShareType:
		return Words(ShareEnabled, ShareDisabled)
	case TargetContainersMode:
		return Words(TargetContainersSum, TargetContainersMax)
	case ReportLevel:
		return Words(ReportInfo, ReportWarning, ReportError)
	}
	return allowedByKubernetes(value)
}

func allowedByKubernetes(value any) []string {
	switch value.(type) {
	case corev1.Protocol:
		return Words(corev1.ProtocolTCP, corev1.ProtocolUDP, corev1.ProtocolSCTP)
	case corev1.PullPolicy:
		return Words(corev1.PullAlways, corev1.PullNever, corev1.PullIfNotPresent)
	case corev1.URIScheme:
		return Words(corev1.URISchemeHTTP, corev1.URISchemeHTTPS)
	case corev1.TerminationMessagePolicy:
		return Words(corev1.TerminationMessageReadFile, corev1.TerminationMessageFallbackToLogsOnError)
	case corev1.MountPropagationMode:
		return Words(corev1.MountPropagationNone, corev1.MountPropagationHostToContainer, corev1.MountPropagationBidirectional)
	case corev1.ContainerRestartPolicy:
		return Words(corev1.ContainerRestartPolicyAlways, corev1.ContainerRestartPolicyNever, corev1.ContainerRestartPolicyOnFailure)
	}
	return nil
}

// Words are values of a string type as texts.
func Words[T ~string](values ...T) []string {
	texts := make([]string, len(values))
	for i, value := range values {
		texts[i] = string(value)
	}
	return texts
}
