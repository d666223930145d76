// Package apply runs the plan of an injector on a pod template.
package apply

import (
	"fmt"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/escape"
	"pillion.dev/pillion/internal/plan"
	"pillion.dev/pillion/transformers"
)

// Apply runs a plan on the pod template, between the transformers that run before and after it. It stops at the first step that
// reports an error. The checks of the whole pod come after all of it, in internal/check.
func Apply(pod *Pod, p *plan.Plan, before, after []transformers.Transformer) []finding.Finding {
	pod.plan, pod.Injector = p, p.Injector
	pod.copies = len(before)+len(after) > 0
	findings := pod.transform(before)
	if !finding.HasError(findings) {
		findings = append(findings, checkKnative(pod)...)
	}
	for _, step := range p.Steps {
		if finding.HasError(findings) {
			return findings
		}
		findings = append(findings, pod.run(step)...)
		if pod.Room.IsFull() {
			return append(findings, newFinding(finding.Error, finding.LimitExceeded, pod.At("spec"), "%s", pod.Room.Problem()))
		}
	}
	if finding.HasError(findings) {
		return findings
	}
	return append(findings, pod.transform(after)...)
}

func (p *Pod) run(step plan.Step) []finding.Finding {
	switch step.Field {
	case "volumes", "imagePullSecrets":
		return p.addEntries(step)
	case "podSpec":
		return p.fillSpec(step.Operations)
	case "appContainers":
		return p.fillAppContainers(step.Operations)
	case "containers":
		return p.addSidecars(step.Operations)
	case "initContainers":
		return p.addInitContainers(step.Operations)
	}
	var findings []finding.Finding
	for _, op := range step.Operations {
		switch {
		case op.Verb == plan.Grow:
			findings = append(findings, growPodResources(p)...)
		case op.Key == plan.DefaultContainer && op.Value == nil:
			findings = append(findings, keepDefaultContainer(p)...)
		case op.Verb == plan.Fill, op.Verb == plan.Join:
			findings = append(findings, p.setMetadata(op)...)
		}
	}
	return findings
}

func newFinding(severity finding.Severity, code finding.Code, path, format string, args ...any) finding.Finding {
	return finding.Finding{
		Severity: severity,
		Code:     code,
		Message:  fmt.Sprintf(format, escape.ClipArgs(args)...),
		Field:    &finding.Field{Path: path},
	}
}
