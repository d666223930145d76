package engine

import (
	"slices"
	"strings"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/stamp"
)

// wish is what an injector wants to do to a pod template.
type wish struct {
	injector string
	stamp    *stamp.Stamp
	isOfRun  bool
}

// wish returns what an injector of the run wants, given what it did.
func (m made) wish() wish { return wish{m.by.injector.Name, m.stamp, true} }

// conflicts reports what an injector and the others want differently. Own is what the injector would do if there were no other.
func (p *pod) conflicts(m *member, own *stamp.Stamp, others []wish) []finding.Finding {
	if own == nil {
		return nil
	}
	mine := wish{m.injector.Name, own, true}
	var all []finding.Finding
	for _, theirs := range others {
		all = append(all, p.conflictsBetween(theirs, mine)...)
	}
	return all
}

// wishesOfOthers returns what the injectors want that have added something to the pod template already.
func (p *pod) wishesOfOthers() []wish {
	var all []wish
	for _, earlier := range p.made {
		all = append(all, earlier.wish())
	}
	for _, other := range p.plan.others {
		all = append(all, wish{injector: stamp.NameOf(other.Key), stamp: other.Stamp})
	}
	return all
}

// conflictsBetween reports what two injectors want differently.
func (p *pod) conflictsBetween(theirs, mine wish) []finding.Finding {
	var all []finding.Finding
	add := func(message string) { all = append(all, p.conflict(theirs, message)) }
	for _, at := range mine.stamp.Differs(theirs.stamp) {
		if one, two := theirs.stamp.Separator(at), mine.stamp.Separator(at); one != two && one != "" && two != "" {
			add(joinDifferently(theirs.injector, mine.injector, at, one, two))
		} else {
			add(wantDifferently(theirs.injector, mine.injector, at))
		}
	}
	for _, pair := range [][2]wish{{theirs, mine}, {mine, theirs}} {
		whole, part := pair[0], pair[1]
		for _, at := range whole.stamp.Covers(part.stamp) {
			add(wantsWhole(whole.injector, part.injector, at))
		}
	}
	return all
}

// conflict reports a conflict with the wish of another injector.
func (p *pod) conflict(theirs wish, message string) finding.Finding {
	if !theirs.isOfRun {
		message += runTogether(theirs.injector)
	}
	return newFinding(finding.Error, finding.InjectorConflict, p.podSpec(), "%s", message)
}

// blameOthers adds to errors the names of the other injectors that cause them. If the conflict between two injectors is known,
// it is reported instead.
func (p *pod) blameOthers(findings []finding.Finding, isKnown bool) []finding.Finding {
	if isKnown {
		return slices.DeleteFunc(findings, func(f finding.Finding) bool { return f.Severity == finding.Error && isConflict(f.Code) })
	}
	if names := p.otherNames(); names != "" {
		for i, f := range findings {
			if f.Severity == finding.Error {
				findings[i].Message += causedByOthers(names)
			}
		}
	}
	return findings
}

// hiddenConflicts returns conflicts with something of the app that other injectors have replaced. Without them, the result
// would depend on the order of the injectors.
func (p *pod) hiddenConflicts(refused []finding.Finding) []finding.Finding {
	conflicts := slices.DeleteFunc(refused, func(f finding.Finding) bool { return !isConflict(f.Code) && f.Code != finding.PortConflict })
	for i := range conflicts {
		conflicts[i].Message += replacedByOthers(p.otherNames())
	}
	return conflicts
}

// otherNames returns the names of the injectors that have added something to the pod template already.
func (p *pod) otherNames() string {
	var names []string
	for _, earlier := range p.made {
		names = append(names, earlier.by.injector.Name)
	}
	for _, other := range p.plan.others {
		names = append(names, stamp.NameOf(other.Key))
	}
	return strings.Join(names, ", ")
}

// isConflict reports whether a code is about an entry of the payload that the pod already has in a different form.
func isConflict(code finding.Code) bool {
	return code == finding.ContainerConflict || code == finding.VolumeConflict || code == finding.EnvConflict || code == finding.MountConflict
}
