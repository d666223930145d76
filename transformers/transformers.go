// Package transformers adds the payload of an injector to pod templates, with one small function per concern. Programs that embed
// Pillion can add their own functions, which run before or after these.
//
// A Transformer is to a pod template what a Unix filter is to a stream: it takes the pod template and changes it. It never sees
// bytes, files or flags. What it changes is recorded in the stamp of the injector, so that a later run recognises it, updates it
// and removes it, without any code in the transformer.
//
//	func team(pod *transformers.Pod) []finding.Finding {
//		return pod.Set("payments", "metadata", "labels", "team")
//	}
//
//	config = config.After(team)
package transformers

import (
	"fmt"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/injector"
)

// Transformer changes a pod template, and returns the problems that it finds. An error among them means that the pod
// template must not be used: then nothing is written, neither in this workload nor in any other of the run.
//
// A Transformer is called for each pod template and each injector that goes into it, for several pod templates at the
// same time, and more than once for one of them: it must not keep state, and it must do the same each time. It sees the
// pod template without what this injector added in earlier runs.
//
// It may add anything to what the app has, and replace labels, annotations, containers, volumes, variables, mounts and devices
// as a whole. The stamp restores nothing else: a run that replaces another field of the app fails, unless spec.stamp is None,
// and what is deleted or moved does not come back.
type Transformer func(pod *Pod) []finding.Finding

// Injector is the injector whose payload goes into the pod template: its variables are replaced, and the values that
// annotations of the pod override are set.
type Injector interface {
	GetName() string
	// GetSpec returns the spec with its defaults. It is shared: do not change it.
	GetSpec() *v1alpha1.SidecarInjectorSpec
}

// payloadSteps add one concern of the payload each. What containers refer to comes before them. The checks of the whole pod come
// after all of it, in internal/check.
var payloadSteps = []Transformer{
	checkKnative,
	addVolumes,
	addImagePullSecrets,
	setPodSpec,
	setPodMetadata,
	fillAppContainers, // before the containers that take something from these
	addInitContainers,
	addSidecars,
	keepDefaultContainer,
}

// Payload adds the payload of the pod's injector to the pod template. It is the transformer between those of Config.Before and
// Config.After.
func Payload(pod *Pod) []finding.Finding {
	in, ok := pod.Injector.(*injector.Injector)
	if !ok {
		return []finding.Finding{newFinding(finding.Error, finding.InvalidConfig, pod.At("spec"),
			"the injector has no payload that was read and checked; use one of a config of package fn")}
	}
	pod.payload = in
	return Apply(pod, payloadSteps...)
}

// Apply runs transformers one after the other, up to the first that reports an error: later ones would only report what follows
// from it.
func Apply(pod *Pod, transformers ...Transformer) []finding.Finding {
	var findings []finding.Finding
	for _, transform := range transformers {
		findings = append(findings, transform(pod)...)
		if finding.HasError(findings) {
			break
		}
	}
	return findings
}

func newFinding(severity finding.Severity, code finding.Code, path, format string, args ...any) finding.Finding {
	return finding.Finding{
		Severity: severity,
		Code:     code,
		Message:  fmt.Sprintf(format, args...),
		Field:    &finding.Field{Path: path},
	}
}
