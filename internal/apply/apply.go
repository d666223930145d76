// Package apply adds the payload of an injector to pod templates, with one small function per concern: containers, volumes,
// variables, ports, mounts, positions and metadata.
package apply

import (
	"fmt"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/escape"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/transformers"
)

// steps add one concern of the payload each. What containers refer to comes before them. The checks of the whole pod come after
// all of it, in internal/check.
var steps = []func(*Pod) []finding.Finding{
	checkKnative,
	addVolumes,
	addImagePullSecrets,
	setPodSpec,
	setPodMetadata,
	fillAppContainers, // before the containers that take something from these
	addInitContainers,
	addSidecars,
	growPodResources,
	keepDefaultContainer,
}

// Apply adds the payload of an injector to the pod template, between the transformers that run before and after it. It stops at
// the first step that reports an error, because later ones would only report consequences.
func Apply(pod *Pod, in *injector.Injector, before, after []transformers.Transformer) []finding.Finding {
	pod.payload, pod.Injector = in, in
	pod.copies = len(before)+len(after) > 0
	findings := pod.transform(before)
	for _, add := range steps {
		if finding.HasError(findings) {
			return findings
		}
		findings = append(findings, add(pod)...)
		if pod.Room.IsFull() {
			return append(findings, newFinding(finding.Error, finding.LimitExceeded, pod.At("spec"), "%s", pod.Room.Problem()))
		}
	}
	if finding.HasError(findings) {
		return findings
	}
	return append(findings, pod.transform(after)...)
}

func newFinding(severity finding.Severity, code finding.Code, path, format string, args ...any) finding.Finding {
	return finding.Finding{
		Severity: severity,
		Code:     code,
		Message:  fmt.Sprintf(format, escape.ClipArgs(args)...),
		Field:    &finding.Field{Path: path},
	}
}
