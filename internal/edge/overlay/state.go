package overlay

import (
	"pillion.dev/pillion/decision"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/outcome"
)

// condition is how a workload has the sidecar of an injector. A smaller one is worse.
type condition int

const (
	isWrong condition = iota // in another form, or not at all
	isOlder                  // as an older config declared it, or as a stamp says of one that is to be removed
	isRight                  // as it is declared
)

// sidecar is that of an injector in a workload.
type sidecar struct {
	workload finding.Object
	injector int
}

// gone stands for the workloads whose names are not in the whole build: patches rename objects and change their kinds.
var gone finding.Object

// conditions are those of all sidecars in the workloads of a build.
type conditions map[sidecar]condition

// conditionsIn returns the conditions of all sidecars of a run. Of workloads with the same name, the worst one counts.
func (b Builder) conditionsIn(run outcome.Run) conditions {
	run.AcceptsOlder = true
	verified := run.Verified()
	all := conditions{}
	for i, w := range run.Workloads {
		for j := range b.Config.Injectors() {
			at := sidecar{w.Object, j}
			is := conditionOf(j, w, verified.Workloads[i])
			if other, isThere := all[at]; isThere {
				is = min(is, other)
			}
			all[at] = is
		}
	}
	return all
}

func conditionOf(injector int, w, verified *outcome.Workload) condition {
	isBroken := finding.HasError(verified.General) || verified.Decision() == decision.Refused
	if isBroken || injector >= len(w.Outcomes) {
		return isWrong
	}
	made := verified.Outcomes[injector]
	isRemoved := w.Outcomes[injector].Decision == decision.Removed
	switch {
	case made.IsAccepted || isRemoved && !made.IsDrifted() && !finding.HasError(made.Findings):
		return isOlder
	case made.Decision.IsCurrent() && made.HasSidecar:
		return isRight
	}
	return isWrong
}

// setGone sets the conditions that stand for the workloads that are not in the whole build: the best of each sidecar.
func (c conditions) setGone(built conditions) {
	for at, is := range c {
		if _, stays := built[at]; !stays {
			best := sidecar{gone, at.injector}
			c[best] = max(c[best], is)
		}
	}
}

// of returns the condition of a sidecar. If there is no workload of its name, because a step renames it, that is the best
// one of those whose names are gone in the end.
func (c conditions) of(at sidecar) condition {
	if is, isThere := c[at]; isThere {
		return is
	}
	return c[sidecar{gone, at.injector}]
}
