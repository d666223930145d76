// Package transformers changes pod templates: one small function per concern, each of
// which takes the pod template and the injector and says what it met.
//
// A transformer is to a pod template what a Unix filter is to a stream. It never sees
// bytes, files or flags.
package transformers

import (
	"fmt"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/injector"
)

// Transformer brings one concern of the injector's payload into the pod. What it returns
// are the problems that it met; an error among them means that the pod must not be used.
type Transformer func(pod *Pod, in *injector.Injector) []finding.Finding

// inOrder is the way of a pod: what containers refer to comes before them. The checks on the
// whole pod come after all of it, in internal/check.
var inOrder = []Transformer{
	KnativeLimits,
	Volumes,
	ImagePullSecrets,
	PodSpec,
	PodMetadata,
	AppContainers, // before the containers that take over from these
	InitContainers,
	Containers,
	DefaultContainer,
}

// Apply brings the whole payload into the pod. Later transformers are not asked once one
// has refused, because they would only say again what follows from it.
func Apply(pod *Pod, in *injector.Injector) []finding.Finding {
	var met []finding.Finding
	for _, transform := range inOrder {
		met = append(met, transform(pod, in)...)
		if finding.HasError(met) {
			break
		}
	}
	return met
}

func problem(severity finding.Severity, code finding.Code, path, format string, args ...any) finding.Finding {
	return finding.Finding{
		Severity: severity,
		Code:     code,
		Message:  fmt.Sprintf(format, args...),
		Field:    &finding.Field{Path: path},
	}
}
