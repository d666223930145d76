// Package apply runs the plan of an injector on a pod template.
//
// [Apply] runs it on the app alone, and notes what the injector wants. Where other injectors have put something in,
// [Pod.Put] writes that into the version that has their entries.
package apply

import (
	"fmt"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/plan"
	"pillion.dev/pillion/internal/text/escape"
)

// Apply runs a plan on the pod template, between the transformers that run before and after it. It stops at the first
// step that reports an error. The checks of the whole pod come after all of it, in internal/pods/check.
func Apply(pod *Pod, p *plan.Plan, before, after []Transformer) []finding.Finding {
	pod.plan = p
	pod.isTransformed = len(before)+len(after) > 0
	pod.transform(before)
	if !finding.HasError(pod.findings) {
		pod.checkKnative()
	}
	for _, step := range p.Steps {
		if finding.HasError(pod.findings) {
			return pod.findings
		}
		pod.run(step)
		if pod.Room.IsFull() {
			pod.report(finding.Error, finding.LimitExceeded, pod.At("spec"), "%s", pod.Room.Problem())
			return pod.findings
		}
	}
	if !finding.HasError(pod.findings) {
		pod.transform(after)
	}
	return pod.findings
}

func (p *Pod) run(step plan.Step) {
	switch step.Field {
	case "volumes", "imagePullSecrets":
		p.addEntries(step)
	case "podSpec":
		p.fillSpec(step.Operations)
	case "patchPodMetadata":
		for _, op := range step.Operations {
			p.setMetadata(op)
		}
	case "appContainers":
		p.fillAppContainers(step.Operations)
	case "initContainers":
		p.addInitContainers(step.Operations)
	case "containers":
		p.addSidecars(step.Operations)
	case "podResources":
		p.growPodResources()
	case "podInjectPolicy":
		p.keepDefaultContainer(step.Operations[0])
	}
}

// report adds a finding, and returns it.
func (p *Pod) report(severity finding.Severity, code finding.Code, path, format string, args ...any) *finding.Finding {
	p.findings = append(p.findings, newFinding(severity, code, path, format, args...))
	return &p.findings[len(p.findings)-1]
}

func newFinding(severity finding.Severity, code finding.Code, path, format string, args ...any) finding.Finding {
	return finding.Finding{
		Severity: severity,
		Code:     code,
		Message:  fmt.Sprintf(format, escape.ClipArgs(args)...),
		Field:    &finding.Field{Path: path},
	}
}
