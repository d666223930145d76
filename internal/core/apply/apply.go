// Package apply finds out what an injector wants of the pod template of an app.
//
// [Want] runs its plan, and returns the entries of its ledger. It changes nothing: package version writes what is wanted,
// beside what other injectors have put in.
package apply

import (
	"fmt"
	"slices"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/injector"
	"pillion.dev/pillion/internal/core/ledger"
	"pillion.dev/pillion/internal/text/escape"
)

// Wanted is what an injector wants of an app.
type Wanted struct {
	Entries ledger.Entries

	pod *Pod
}

// Has reports whether a container of the injector is in the pod template, as the injector wants it.
func (w Wanted) Has(container string) bool { return slices.Contains(w.pod.containers, container) }

// Want returns what a plan wants of an app, between the transformers that run before and after it. It stops at the first
// step that reports an error. The checks of the whole pod come after all of it, in internal/pods/check.
func Want(app App, plan *injector.Plan, seen Seen, before, after []Transformer) (Wanted, []finding.Finding) {
	p := &Pod{App: app, Seen: seen, plan: plan, Entries: make(ledger.Entries, 0, len(plan.Steps))}
	if len(before)+len(after) > 0 {
		p.untransformed = p.Node
		p.Template = p.Copy()
	}
	p.transform(before)
	if !finding.HasError(p.findings) {
		p.checkKnative()
	}
	for _, step := range plan.Steps {
		if finding.HasError(p.findings) {
			return Wanted{p.Entries, p}, p.findings
		}
		p.run(step)
		if p.Room.IsFull() {
			p.report(finding.Error, finding.LimitExceeded, p.At("spec"), "%s", p.Room.Problem())
			return Wanted{p.Entries, p}, p.findings
		}
	}
	if p.untransformed != nil && !finding.HasError(p.findings) {
		p.Node = p.alone()
		p.transform(after)
		p.noteOutside()
	}
	return Wanted{p.Entries, p}, p.findings
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
