// Package apply runs the plan of an injector on the pod template of an app.
//
// [Apply] notes what the injector wants, and changes nothing. Package version writes that, beside what other injectors
// have put in.
package apply

import (
	"fmt"
	"slices"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/injector"
	"pillion.dev/pillion/internal/text/escape"
)

// Apply runs a plan on the pod template, between the transformers that run before and after it. It stops at the first
// step that reports an error. The checks of the whole pod come after all of it, in internal/pods/check.
func Apply(pod *Pod, p *injector.Plan, before, after []Transformer) []finding.Finding {
	pod.plan = p
	if len(before)+len(after) > 0 {
		pod.untransformed = pod.Node
		pod.Template = pod.Copy()
	}
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
	if pod.untransformed != nil && !finding.HasError(pod.findings) {
		pod.Node = pod.Alone()
		pod.transform(after)
		pod.noteOutside()
	}
	return pod.findings
}

// run runs the operations of a step, one after the other. Those on the app's containers run container by container,
// because several of them may be about one variable.
func (p *Pod) run(step injector.Step) {
	if step.Operations[0].App != nil {
		p.fillAppContainers(step.Operations)
		return
	}
	for _, op := range step.Operations {
		switch op.Verb {
		case injector.Add:
			p.add(op)
		case injector.Fill:
			p.fillSpec(op)
		case injector.Set, injector.MergeJSON:
			p.setMetadata(op)
		case injector.NameDefault:
			p.pinDefaultContainer(op)
		}
	}
}

// add adds an entry to a list of the pod spec.
func (p *Pod) add(op injector.Operation) {
	if op.Container != nil {
		p.addContainer(op)
		return
	}
	p.addEntry(op)
}

// report adds a finding, and returns it.
func (p *Pod) report(severity finding.Severity, code finding.Code, path, format string, args ...any) *finding.Finding {
	p.findings = append(p.findings, newFinding(severity, code, path, format, args...))
	return &p.findings[len(p.findings)-1]
}

// reportOnce adds a finding, unless there is one with the same message.
func (p *Pod) reportOnce(f finding.Finding) {
	isSame := func(other finding.Finding) bool { return other.Message == f.Message }
	if !slices.ContainsFunc(p.findings, isSame) {
		p.findings = append(p.findings, f)
	}
}

func newFinding(severity finding.Severity, code finding.Code, path, format string, args ...any) finding.Finding {
	return finding.Finding{
		Severity: severity,
		Code:     code,
		Message:  fmt.Sprintf(format, escape.ClipArgs(args)...),
		Field:    &finding.Field{Path: path},
	}
}
