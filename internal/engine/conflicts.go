package engine

import (
	"fmt"
	"slices"
	"strings"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/stamp"
)

// clashes finds what two injectors want differently. Own is what the injector at hand would do if there
// were no other.
func (p *pod) clashes(which int, own *stamp.Stamp) []Finding {
	if own == nil {
		return nil
	}
	mine := claim{p.work.run.injectors[which].Name, own, p.takesOut(which)}
	var met []Finding
	for _, earlier := range p.made {
		theirs := claim{p.work.run.injectors[earlier.which].Name, earlier.stamp, p.takesOut(earlier.which)}
		met = append(met, p.between(theirs, mine, "")...)
	}
	for _, other := range p.plan.others {
		name := stamp.NameOf(other.Key)
		hint := fmt.Sprintf("; to change both at once, run them as one SidecarInjectorList; if %q is not in use any more, run it with action: Remove first", name)
		met = append(met, p.between(claim{name, other.Stamp, nil}, mine, hint)...)
	}
	return met
}

// claim is what an injector wants of a pod template.
type claim struct {
	name string
	*stamp.Stamp
	out []stamp.Thing // what it wants to be gone
}

// between is what two injectors want differently, each in words.
func (p *pod) between(theirs, mine claim, hint string) []Finding {
	const same = "make them equal, give one of them another name, or keep one of the injectors from this pod"
	var words []string
	for _, at := range mine.Differs(theirs.Stamp) {
		words = append(words, fmt.Sprintf("the injectors %q and %q both want %s, and not the same; %s%s", theirs.name, mine.name, thing(at.Path, at.Key), same, hint))
	}
	for _, pair := range [][2]claim{{theirs, mine}, {mine, theirs}} {
		whole, part := pair[0], pair[1]
		for _, in := range whole.Covers(part.Stamp) {
			words = append(words, fmt.Sprintf("the injector %q wants all of %s to be its own, and %q puts something into it; keep one of the injectors from this pod%s", whole.name, thing(in.Path, in.Key), part.name, hint))
		}
		for _, out := range whole.out {
			if part.Adds(out.Path, out.Key) {
				words = append(words, fmt.Sprintf("the injector %q takes %s out, and %q puts it in; %s%s", whole.name, thing(out.Path, out.Key), part.name, same, hint))
			}
		}
	}
	met := make([]Finding, len(words))
	for i := range words {
		met[i] = Finding{Severity: Error, Code: finding.InjectorConflict, Field: specOf(p.candidate), Message: words[i]}
	}
	return met
}

// takesOut is what an injector takes out of annotations that it merges JSON into.
func (p *pod) takesOut(which int) []stamp.Thing {
	var all []stamp.Thing
	for annotation, patch := range p.work.run.injectors[which].MergedJSON() {
		all = append(all, stamp.TakenOut(annotation, patch)...)
	}
	return all
}

// nameOthers adds to errors whose other injectors there are: alone, this one would go in. Where
// it is known what two of them want differently, that is said instead.
func (p *pod) nameOthers(met []Finding, known bool) []Finding {
	if known {
		return slices.DeleteFunc(met, func(f Finding) bool { return f.Severity == Error && isConflict(f.Code) })
	}
	if names := p.otherNames(); names != "" {
		for i, f := range met {
			if f.Severity == Error {
				met[i].Message += "; without what other injectors put in (" + names + ") it would fit"
			}
		}
	}
	return met
}

// hidden are conflicts with something of the app's that an injector does not meet because others have replaced it. Going
// in all the same, it would depend on who comes first, and lose what it wants with the one that replaced it.
func (p *pod) hidden(refused []Finding) []Finding {
	conflicts := slices.DeleteFunc(refused, func(f Finding) bool { return !isConflict(f.Code) && f.Code != finding.PortConflict })
	for i := range conflicts {
		conflicts[i].Message += "; the app has it, and other injectors (" + p.otherNames() + ") have replaced it"
	}
	return conflicts
}

// otherNames are the injectors that have put something into the pod template already.
func (p *pod) otherNames() string {
	var names []string
	for _, earlier := range p.made {
		names = append(names, p.work.run.injectors[earlier.which].Name)
	}
	for _, other := range p.plan.others {
		names = append(names, stamp.NameOf(other.Key))
	}
	return strings.Join(names, ", ")
}

// isConflict tells whether a finding is about something of the payload's that is there, and different.
func isConflict(code Code) bool {
	return code == finding.ContainerConflict || code == finding.VolumeConflict || code == finding.EnvConflict || code == finding.MountConflict
}
