package engine

import (
	"fmt"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/text/escape"
	"pillion.dev/pillion/internal/text/manifest"
)

// newFinding returns a finding about a field, or about the whole object if that is nil.
func newFinding(
	severity finding.Severity, code finding.Code, at *finding.Field, format string, args ...any,
) finding.Finding {
	return finding.Finding{
		Severity: severity,
		Code:     code,
		Field:    at,
		Message:  fmt.Sprintf(format, escape.ClipArgs(args)...),
	}
}

func tooMuchWork(limit int64) finding.Finding {
	return newFinding(finding.Error, finding.LimitExceeded, nil,
		"the run was stopped after %d steps of work, the most for so much input; "+
			"run fewer injectors at once, on fewer manifests, or use shorter patterns and payloads", limit)
}

// encrypted returns the error about a change of an item that SOPS has encrypted.
func (r *run) encrypted(item *manifest.Item) finding.Finding {
	toAccept := "keep it out of the selection"
	if item.File != "" && item.File != finding.Stdin {
		toAccept = r.flagsOr("leave its file out with --exclude", toAccept)
	}
	return newFinding(finding.Error, finding.Encrypted, &finding.Field{Path: "sops.mac"},
		"the document is encrypted with SOPS, and a change would break its MAC, so that sops and Flux refuse it; "+
			"decrypt it first and encrypt the result, or %s", toAccept)
}

func noInjectors() finding.Finding {
	return newFinding(finding.Error, finding.InvalidConfig, nil,
		"there are no injectors; give at least one SidecarInjector")
}

func notAdoptable(container, why string, at *finding.Field) finding.Finding {
	return newFinding(finding.Error, finding.ContainerConflict, at,
		"container %q has no stamp, and %s (spec.adopt); take it out by hand", container, why)
}
