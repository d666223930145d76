package engine

import (
	"fmt"
	"maps"
	"slices"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/selection"
	"pillion.dev/pillion/internal/stamp"
	"pillion.dev/pillion/internal/yaml/node"
)

// plan is what the injectors of the run do to one pod template.
type plan struct {
	inject  []int           // the injectors that go in
	remove  []removal       // those that go out
	undo    []stamp.Owner   // the stamps of both: what they speak of is taken out first
	others  []stamp.Owner   // the stamps of everybody else
	adopted map[string]bool // the keys of stamps that are made up
}

// removal is an injector whose sidecar goes, by its index, and why.
type removal struct {
	which  int
	reason string
}

// planFor asks all injectors about one pod template.
func (w *workload) planFor(c *selection.Candidate) plan {
	found := w.stamps[c.Template.Path]
	stamps, broken := maps.Clone(found.stamps), found.broken
	p := plan{adopted: found.adopted}
	var passed skips
	for which, in := range w.injectors {
		key := stamp.Key(in.Name)
		had := stamps[key]
		if had != nil && had.Asked {
			c.Waited = append(c.Waited, in.Name)
		}
		d := w.selections[which].Decide(*c)
		removes := in.Spec.Action == v1alpha1.Remove
		if removes && had != nil || !removes && d.Matched {
			w.match(which)
		}
		switch {
		case broken[key] != nil && !in.Paused:
			w.say(Finding{
				Severity: Error, Code: finding.StampBroken, Field: annotation(*c, key), Injector: in.Name,
				Message: "the stamp " + key + " is not valid: " + broken[key].Error() + "; restore it from version control, or remove it and set spec.adopt to true",
			})
		case leavesAlone(in, d, had):
			w.pass(&passed, *c, which, d, had != nil)
		case c.Template.Broken != nil && (had != nil || !removes || in.Spec.Adopt):
			w.say(Finding{Severity: Error, Code: finding.InvalidItem, Message: c.Template.Broken.Error(), Field: specOf(*c), Injector: in.Name})
		case removes && len(found.refused[key]) > 0:
			for _, f := range found.refused[key] {
				f.Injector = in.Name
				w.say(f)
			}
		case removes && had == nil:
			w.nothingToRemove(*c, in)
		case removes:
			p.remove = append(p.remove, removal{which, "spec.action is Remove"})
		case d.Inject:
			p.inject = append(p.inject, which)
		default:
			if d.Severity != Info {
				w.say(Finding{Severity: d.Severity, Code: d.Code, Message: d.Message(), Field: fieldOf(*c, d), Injector: in.Name})
			}
			p.remove = append(p.remove, removal{which, d.Message()})
			w.skipped = append(w.skipped, skipped{which, d.Code, d.Message()})
		}
		if had != nil && (slices.Contains(p.inject, which) || p.removes(which)) {
			p.undo = append(p.undo, stamp.Owner{Key: key, Stamp: had})
			delete(stamps, key)
		}
	}
	p.others = ownersOf(stamps)
	w.sayAll(passed, *c)
	return p
}

// leavesAlone tells whether an injector leaves a pod template as it is, with what it had put in before. Where
// it is to be removed, its stamp decides; what has none is looked at only where it would go in.
func leavesAlone(in *injector.Injector, d selection.Decision, had *stamp.Stamp) bool {
	if in.Spec.Action == v1alpha1.Remove {
		return in.Paused || had == nil && in.Spec.Adopt && !d.Inject
	}
	return !d.Inject && (had == nil || !isCertain(d, in))
}

// isCertain tells whether a decision against an injection is one to take a sidecar out by. Where
// it is merely not known who a pod is for, or what its marker means, it stays as it is.
func isCertain(d selection.Decision, in *injector.Injector) bool {
	return !in.Paused && d.Severity != Error && d.Code != finding.NamespaceLabelsUnknown && d.Code != finding.MarkerUnclear
}

func (p *plan) removes(which int) bool {
	return slices.ContainsFunc(p.remove, func(r removal) bool { return r.which == which })
}

func (w *workload) match(which int) {
	if !slices.Contains(w.matched, which) {
		w.matched = append(w.matched, which)
	}
}

// pass notes why an injector leaves a pod template as it is, with what it had put in before.
func (w *workload) pass(passed *skips, c selection.Candidate, which int, d selection.Decision, had bool) {
	in := w.injectors[which]
	if in.Spec.Stamp == v1alpha1.StampNone && !in.Paused {
		w.sayUnstamped(Info, c, in, "spec.stamp is None, so whether an earlier run put it in is not known")
	}
	f := Finding{Severity: d.Severity, Code: d.Code, Field: fieldOf(c, d), Injector: in.Name}
	switch {
	case had && in.Paused && d.Code != finding.Paused:
		f.Code, f.Message = finding.Paused, "the injector is paused (spec.paused), so what it injected stays, though "+d.Message()
	case had && !in.Paused:
		f.Message = d.Message() + "; what was injected before stays as it is"
	case d.Severity == Info:
		passed.add(which, d)
		return
	default:
		f.Message = d.Message()
	}
	w.say(f)
}

// nothingToRemove is about a pod template that has no stamp of an injector that is to be removed.
func (w *workload) nothingToRemove(c selection.Candidate, in *injector.Injector) {
	if w.sayUnstamped(Warning, c, in, "it has no stamp, so whether it was injected is not known; take it out by hand, or set spec.adopt to true") {
		return
	}
	if in.Spec.Stamp == v1alpha1.StampNone && !in.Spec.Adopt {
		w.say(Finding{
			Severity: Warning, Code: finding.Unstamped, Field: specOf(c), Injector: in.Name,
			Message: "spec.stamp is None, so whether it was injected is not known; to take out what was, give the payload and set spec.adopt to true",
		})
		return
	}
	message := "it has no stamp of this injector"
	if in.Spec.Adopt {
		message = "it has nothing of this injector's"
	}
	w.say(Finding{Severity: Info, Code: finding.NothingToRemove, Message: message, Field: specOf(c), Injector: in.Name})
}

// sayUnstamped tells of a container of the payload's name that nobody knows the origin of.
func (w *workload) sayUnstamped(severity Severity, c selection.Candidate, in *injector.Injector, why string) bool {
	for _, list := range []string{"containers", "initContainers"} {
		for _, container := range node.List(c.Template.Spec(), list) {
			if name := node.Text(container, "name"); in.Has(name) {
				w.say(Finding{
					Severity: severity, Code: finding.Unstamped, Field: specOf(c), Injector: in.Name,
					Message: fmt.Sprintf("container %q stays: %s", name, why),
				})
				return true
			}
		}
	}
	return false
}

// annotation is an annotation of the pod template as the place of a finding.
func annotation(c selection.Candidate, key string) *finding.Field {
	return &finding.Field{Path: c.Template.At("metadata.annotations[" + key + "]")}
}
