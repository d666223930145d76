package engine

import (
	"slices"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/podtemplate"
)

// kept is what stays in a pod template although an injector wants something else, as warnings.
type kept struct {
	by       *member
	seen     podtemplate.Template // what its variables refer to
	findings []finding.Finding
	ofApp    []finding.Finding // the same if there were no other injector
	turn     int               // its index among those that have added something
}

// reportKept reports what stays although injectors want something else. It comes after all injectors, because a later one may
// have replaced what stays, and the result must not depend on their order. If the workload is refused, only the app's values count:
// conflicts between injectors are errors.
func (p *pod) reportKept() {
	for _, k := range p.kept {
		switch {
		case p.work.failed:
			p.reportAll(k.by, k.ofApp)
		case k.isReplacedLater(p.made):
			p.reportAll(k.by, p.applyAgain(k))
		default:
			p.reportAll(k.by, k.findings)
		}
	}
}

// isReplacedLater reports whether a later injector may have replaced what stays.
func (k kept) isReplacedLater(all []made) bool {
	return len(k.findings) > 0 && slices.ContainsFunc(all[min(k.turn+1, len(all)):], func(m made) bool { return m.stamp.Replaces() })
}

// applyAgain returns those of the warnings that are true of the result of the run, with the values there.
func (p *pod) applyAgain(k kept) []finding.Finding {
	applied, findings := p.apply(k.by, p.version().Copy(), k.seen)
	if finding.HasError(findings) {
		return k.findings
	}
	type wanted struct {
		code  finding.Code
		value string
	}
	known := map[wanted]bool{}
	for _, f := range k.findings {
		known[wanted{f.Code, f.Field.Proposed}] = true
	}
	return slices.DeleteFunc(slices.Clone(applied.Kept()), func(f finding.Finding) bool { return !known[wanted{f.Code, f.Field.Proposed}] })
}
