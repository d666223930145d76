package engine

import (
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/check"
	"pillion.dev/pillion/internal/podtemplate"
	"pillion.dev/pillion/internal/stamp"
)

// A stamp may have been written by anyone, so what is put back from it is named, and held against the file as
// it stood.

// restoredBy are the things that come back from the stamp of an injector and are in the result, each once.
func (p *pod) restoredBy(which int) []stamp.Thing {
	var things []stamp.Thing
	seen := map[stamp.Thing]bool{}
	for _, r := range p.undone.StillIn(p.candidate.Template.In(p.work.changed).Node) {
		if r.Owner == stamp.Key(p.work.run.injectors[which].Name) && !seen[r.Thing] {
			seen[r.Thing] = true
			things = append(things, r.Thing)
		}
	}
	return things
}

// checkUndone reports what undoing stamps made worse than it is in the file, and no injector made good again. That is an
// error for an injector that goes in, and a warning for one that goes out: it has nothing more to do with the pod.
func (p *pod) checkUndone() {
	if len(p.plan.undo) == 0 {
		return
	}
	versions := check.Versions{Stood: p.candidate.Template, Undone: p.bared, Result: p.candidate.Template.In(p.work.changed)}
	for _, f := range versions.Returned(check.Workload{Kind: p.work.kind, Claims: podtemplate.ClaimTemplates(p.work.original)}) {
		p.work.say(f)
	}
	for _, which := range p.plan.inject {
		p.checkLevel(versions, which, Error)
	}
	for _, r := range p.plan.remove {
		p.checkLevel(versions, r.which, Warning)
	}
}

func (p *pod) checkLevel(versions check.Versions, which int, severity finding.Severity) {
	in := p.work.run.injectors[which]
	if in.Spec.Checks.PodSecurity == "" {
		return
	}
	major, minor := in.Version()
	for _, f := range versions.PodSecurity(in.Spec.Checks.PodSecurity, major, minor) {
		f.Severity, f.Injector = severity, in.Name
		p.work.say(f)
	}
}
