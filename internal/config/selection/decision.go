package selection

import (
	"fmt"
	"os"

	"pillion.dev/pillion/finding"
)

// Decision is whether to inject, and if not, the reason. Pod templates may share one, so that it must not be changed.
type Decision struct {
	Inject bool
	// Matched is whether the injector is for this pod. If Inject is false nevertheless, a policy keeps it out.
	Matched bool
	// OptsOut is whether the marker of the workload keeps the injector out, and not the config.
	OptsOut bool

	Severity finding.Severity
	Code     finding.Code
	// Field is the field that decided, from the workload on. It is empty if there is no single one.
	Field string

	of     *check // whose reason it has; nil if it has a format
	more   string // at the end of the reason
	format string
	args   []any
}

// Message returns the reason, for the pod template that the decision is about. It is formatted only here, because a
// hundred injectors have a hundred reasons for each pod, and most of them are never shown.
func (d *Decision) Message(c *Candidate) string {
	if d.of == nil {
		return fmt.Sprintf(d.format, d.args...)
	}
	return os.Expand(d.of.Why+d.more, func(name string) string { return d.of.text(name, c) })
}

var selected = &Decision{Inject: true, Matched: true}

// unpatched is the decision against a HelmRelease that is only reported.
var unpatched = &Decision{Code: finding.RuleMismatch, format: "spec.helmReleases is Report, so it gets nothing"}

func skip(code finding.Code, format string, args ...any) *Decision {
	return &Decision{Severity: finding.Info, Code: code, format: format, args: args}
}

// optedOut returns the decision against a pod that opts out.
func optedOut(format string, args ...any) *Decision {
	d := skip(finding.OptedOut, format, args...)
	d.OptsOut = true
	return d
}

func skipWithWarning(code finding.Code, format string, args ...any) *Decision {
	return &Decision{Severity: finding.Warning, Code: code, format: format, args: args}
}
