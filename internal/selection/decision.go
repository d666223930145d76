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
	args   []any
}

// Message returns the reason. It is formatted only here, because a hundred injectors have a hundred reasons for each pod, and
// most of them are never shown.
func (d Decision) Message() string { return fmt.Sprintf(d.format, d.args...) }

var inject = Decision{Inject: true}

func skip(code finding.Code, format string, args ...any) Decision {
	return Decision{Severity: finding.Info, Code: code, format: format, args: args}
}

func skipWithWarning(code finding.Code, format string, args ...any) Decision {
	return Decision{Severity: finding.Warning, Code: code, format: format, args: args}
}

func refuse(code finding.Code, format string, args ...any) Decision {
	return Decision{Severity: finding.Error, Code: code, format: format, args: args}
}

// at returns the decision with the field that decided.
func (d Decision) at(field string) Decision {
	d.Field = field
	return d
}
