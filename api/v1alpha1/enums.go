package v1alpha1

import corev1 "k8s.io/api/core/v1"

// Allowed lists the values that a string type may have, or nothing where any will do.
// Besides Pillion's own types it knows those of Kubernetes whose values have long been
// the same and are easily misspelt; the others grow from release to release, and a
// value that is newer than this program must pass.
func Allowed(value any) []string {
	switch value.(type) {
	case Action:
		return words(Inject, Remove, Verify)
	case StampMode:
		return words(StampAnnotation, StampNone)
	case OnDrift:
		return words(DriftOverwrite, DriftKeep, DriftError)
	case SelectorScope:
		return words(ScopePodTemplate, ScopeWorkload, ScopeAny)
	case Policy:
		return words(PolicyEnabled, PolicyDisabled)
	case Mode:
		return words(ModeAuto, ModeNative, ModeContainer)
	case PodInjectPolicy:
		return words(AfterAppContainer, BeforeAppContainer)
	case EnvPosition:
		return words(EnvPrepend, EnvAppend)
	case PatchPolicy:
		return words(PatchRetain, PatchOverwrite, PatchMergeJSON)
	case Conflict:
		return words(ConflictError, ConflictKeep, ConflictReplace)
	case ContainerConflict:
		return words(ContainerError, ContainerKeep, ContainerMerge, ContainerReplace)
	case PortConflict:
		return words(PortError, PortKeep)
	case PodSecurityLevel:
		return words(PodSecurityBaseline, PodSecurityRestricted)
	case CheckLevel:
		return words(CheckOff, CheckWarn, CheckError)
	case JobPolicy:
		return words(JobsNative, JobsInject, JobsSkip, JobsError)
	case PodPolicy:
		return words(PodInject, PodSkip, PodError)
	case ShareType:
		return words(ShareEnabled, ShareDisabled)
	case TargetContainersMode:
		return words(TargetContainersSum, TargetContainersMax)
	case ReportLevel:
		return words(ReportInfo, ReportWarning, ReportError)
	}
	return allowedByKubernetes(value)
}

func allowedByKubernetes(value any) []string {
	switch value.(type) {
	case corev1.Protocol:
		return words(corev1.ProtocolTCP, corev1.ProtocolUDP, corev1.ProtocolSCTP)
	case corev1.PullPolicy:
		return words(corev1.PullAlways, corev1.PullNever, corev1.PullIfNotPresent)
	case corev1.URIScheme:
		return words(corev1.URISchemeHTTP, corev1.URISchemeHTTPS)
	case corev1.TerminationMessagePolicy:
		return words(corev1.TerminationMessageReadFile, corev1.TerminationMessageFallbackToLogsOnError)
	case corev1.MountPropagationMode:
		return words(corev1.MountPropagationNone, corev1.MountPropagationHostToContainer, corev1.MountPropagationBidirectional)
	case corev1.ContainerRestartPolicy:
		return words(corev1.ContainerRestartPolicyAlways, corev1.ContainerRestartPolicyNever, corev1.ContainerRestartPolicyOnFailure)
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
