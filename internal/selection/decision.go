package selection

import (
	"fmt"

	"pillion.dev/pillion/finding"
)

// Decision is whether to inject, and if not, the reason.
type Decision struct {
	Inject bool
	// Matched is whether the injector is for this pod. If Inject is false nevertheless, a policy keeps it out.
	Matched bool

	Severity finding.Severity
	Code     finding.Code
	// Field is the field that decided, from the workload on. It is empty if there is no single one.
	Field string

	format string
	args   [maxArgs]any // an array, which needs no memory of its own
	count  int          // of the args
}

// maxArgs is how many arguments a message has at most.
const maxArgs = 4

// Message returns the reason. It is formatted only here, because a hundred injectors have a hundred reasons for each pod, and
// most of them are never shown.
func (d Decision) Message() string { return fmt.Sprintf(d.format, d.args[:d.count]...) }

var inject = Decision{Inject: true}

func skip(code finding.Code, format string, args ...any) Decision {
	return newDecision(finding.Info, code, format, args)
}

func skipWithWarning(code finding.Code, format string, args ...any) Decision {
	return newDecision(finding.Warning, code, format, args)
}

func refuse(code finding.Code, format string, args ...any) Decision {
	return newDecision(finding.Error, code, format, args)
}

func newDecision(severity finding.Severity, code finding.Code, format string, args []any) Decision {
	d := Decision{Severity: severity, Code: code, format: format}
	d.count = copy(d.args[:], args)
	return d
}

// at returns the decision with the field that decided.
func (d Decision) at(field string) Decision {
	d.Field = field
	return d
}
