package engine

import (
	"fmt"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/outcome"
	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/text/escape"
)

// newFinding returns a finding about a field, or about the whole object if that is nil.
func newFinding(severity finding.Severity, code finding.Code, at *finding.Field, format string, args ...any) finding.Finding {
	return finding.Finding{Severity: severity, Code: code, Field: at, Message: fmt.Sprintf(format, escape.ClipArgs(args)...)}
}

func tooMuchWork(limit int64) finding.Finding {
	return newFinding(finding.Error, finding.LimitExceeded, nil, "the run was stopped after %d steps of work, the most for so much input; "+
		"run fewer injectors at once, on fewer manifests, or use shorter patterns and payloads", limit)
}

func noInjectors() finding.Finding {
	return newFinding(finding.Error, finding.InvalidConfig, nil, "there are no injectors; give at least one SidecarInjector")
}

func notAdoptable(container, why string, at *finding.Field) finding.Finding {
	return newFinding(finding.Error, finding.ContainerConflict, at,
		"container %q has no stamp, and %s (spec.adopt); take it out by hand", container, why)
}

// What two injectors can do about a conflict.
const (
	makeEqual = "; make them equal, give one of them another name, or keep one of the injectors from this pod"
	keepOne   = "; keep one of the injectors from this pod"
)

func wantDifferently(a, b string, at stamp.Address) string {
	return fmt.Sprintf("the injectors %q and %q both want %s, and not the same", a, b, outcome.EntryName(at.Path, at.Key)) + makeEqual
}

func joinDifferently(a, b string, at stamp.Address, separatorOfA, separatorOfB string) string {
	return fmt.Sprintf("the injectors %q and %q join values to %s with different separators, %q and %q; use the same separator (join) in both",
		a, b, outcome.EntryName(at.Path, at.Key), separatorOfA, separatorOfB)
}

func joinOnBothSides(a, b string, part stamp.Address) string {
	return fmt.Sprintf("the injectors %q and %q join %s on different sides of the app's value; "+
		"use the same joinOrder in both", a, b, outcome.EntryName(part.Path, part.Key))
}

func wantsWhole(whole, part string, at stamp.Address) string {
	return fmt.Sprintf("the injector %q sets all of %s, and %q adds something to it",
		whole, outcome.EntryName(at.Path, at.Key), part) + keepOne
}

func runTogether(other string) string {
	return fmt.Sprintf("; to change both at once, run them as one SidecarInjectorList; "+
		"if %q is not in use any more, run it with action: Remove first", other)
}
