package selection

import (
	"fmt"
	"slices"

	"pillion.dev/pillion/finding"
)

// Decision is whether to inject, and if not, the reason. Pod templates may share one, so that it must not be changed.
type Decision struct {
	Inject bool
	// Matched is whether the injector is for this pod. If Inject is false nevertheless, a policy keeps it out.
	Matched bool

	Severity finding.Severity
	Code     finding.Code
	// Field is the field that decided, from the workload on. It is empty if there is no single one.
	Field string

	format string
	args   []any
}

// ofCandidate is an argument of a message that depends on the pod template.
type ofCandidate func(*Candidate) string

// Message returns the reason, for the pod template that the decision is about. It is formatted only here, because a hundred
// injectors have a hundred reasons for each pod, and most of them are never shown.
func (d *Decision) Message(c *Candidate) string {
	args := slices.Clone(d.args)
	for i, arg := range args {
		if of, isOf := arg.(ofCandidate); isOf {
			args[i] = of(c)
		}
	}
	return fmt.Sprintf(d.format, args...)
}

var selected = &Decision{Inject: true, Matched: true}

func skip(code finding.Code, format string, args ...any) *Decision {
	return &Decision{Severity: finding.Info, Code: code, format: format, args: args}
}

func skipWithWarning(code finding.Code, format string, args ...any) *Decision {
	return &Decision{Severity: finding.Warning, Code: code, format: format, args: args}
}

func refuse(code finding.Code, format string, args ...any) *Decision {
	return &Decision{Severity: finding.Error, Code: code, format: format, args: args}
}
