package outcome

import (
	"fmt"
	"iter"
	"slices"

	"pillion.dev/pillion/decision"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/pods/pod"
)

// Findings returns all findings of the run: about the config, about the workloads in the order of the input, about the
// run as a whole, and what the sidecars cost.
func (r Run) Findings() []finding.Finding { return r.FindingsFrom(finding.Info) }

// FindingsFrom is like Findings, for findings of at least a severity. It does not describe the changes of thousands of
// workloads if they are not wanted.
func (r Run) FindingsFrom(least finding.Severity) []finding.Finding {
	var all []finding.Finding
	if least == finding.Info {
		all = make([]finding.Finding, 0, len(r.Config)+len(r.Workloads)+len(r.General)+1)
	}
	all = append(all, r.Config...)
	var last descriptions
	for _, w := range r.Workloads {
		all = w.appendFindings(all, least, &last)
	}
	if r.DryRun {
		inConditional(all)
	}
	all = append(withoutRepeated(all), r.General...)
	all = append(all, r.NotRendered(least == finding.Info)...)
	if least == finding.Info {
		all = append(all, r.covered()...)
	}
	if total := r.Cost().String(); total != "" && r.Writes() {
		all = append(all, finding.Finding{Severity: finding.Info, Code: finding.Cost, Message: total})
	}
	isHidden := func(f finding.Finding) bool { return f.Severity < least && !r.alwaysShows(f, least) }
	return slices.DeleteFunc(all, isHidden)
}

// alwaysShows reports whether a run shows a finding together with warnings. Who reviews a manifest should see what a
// stamp, which anybody can write, keeps injectors from, and in a verification a reference to an object that the config
// does not name.
func (r Run) alwaysShows(f finding.Finding, least finding.Severity) bool {
	return least < finding.Error && (f.Code == finding.ForeignStamp || r.isVerified && f.Code == finding.Renamed)
}

// inConditional rewords the findings that state decisions, for a run that writes nothing.
func inConditional(findings []finding.Finding) {
	for i := range findings {
		for _, d := range decision.All() {
			if f := &findings[i]; f.Severity == finding.Info && f.Code == d.Code() && d.IsChange() {
				f.Message = d.Words(true) + ": " + f.Message
			}
		}
	}
}

// withoutRepeated drops warnings that an earlier workload has, too, and whose remedy is the same: those about an
// injector's own container, those about an unknown kind, and the patch in a base that several kustomizations build.
func withoutRepeated(findings []finding.Finding) []finding.Finding {
	seen := map[[2]string]bool{}
	return slices.DeleteFunc(findings, func(f finding.Finding) bool {
		key := [2]string{f.Injector, f.Message}
		switch {
		case f.Severity == finding.Warning && (f.Code == finding.NoResources || f.Code == finding.NoDigest):
		case f.Severity != finding.Info && f.Code == finding.UnsupportedKind:
			group, _ := pod.SplitVersion(f.Object.APIVersion)
			key[0] = fmt.Sprint(f.Severity, f.Detail == "") // what can be declared has another remedy
			key[1] = group + "/" + f.Object.Kind
		case f.Code == finding.PatchedAway:
			key[0] = f.File.String()
		default:
			return false
		}
		isRepeated := seen[key]
		seen[key] = true
		return isRepeated
	})
}

// Findings returns all findings about the workload: those of each injector with its decision, and then the general
// ones.
func (w *Workload) Findings() []finding.Finding {
	return w.appendFindings(nil, finding.Info, new(descriptions))
}

// appendFindings adds the findings about the workload, without those that state decisions if only worse ones are
// wanted.
func (w *Workload) appendFindings(all []finding.Finding, least finding.Severity, last *descriptions) []finding.Finding {
	first := len(all)
	for i, o := range w.Outcomes {
		if len(o.Findings) > 0 {
			all = append(all, o.Findings...)
		}
		if o.Decision != decision.Skipped && least == finding.Info {
			all = w.appendDecision(all, o, last.of(i))
		}
	}
	all = append(all, w.General...)
	isExplained := !w.wouldChange() && finding.HasError(all[first:])
	if w.Decision() == decision.Outdated && !isExplained {
		all = append(all, w.outdated(last))
	}
	for i := first; i < len(all); i++ {
		if all[i].Object == nil && w.Object != (finding.Object{}) {
			all[i].Object = &w.Object
		}
		if all[i].File == nil {
			all[i].File = w.File
		}
	}
	return all
}

// appendDecision adds the findings that state a decision: one for each pod template that changes.
func (w *Workload) appendDecision(all []finding.Finding, o *Outcome, last *description) []finding.Finding {
	f := finding.Finding{Severity: finding.Info, Code: o.Decision.Code(), Injector: o.Injector}
	switch o.Decision {
	case decision.Unchanged, decision.Patched:
		f.Message = "nothing to change"
		if o.Decision == decision.Patched {
			f.Message = "spec.postRenderers adds the sidecar; what the chart makes is not rendered here"
		}
		if len(w.Templates) > 0 {
			f.Field = &finding.Field{Path: w.podSpec(w.Templates[0])}
		}
		return append(all, f)
	case decision.Injected, decision.Updated, decision.Removed, decision.HeldBack:
		for template, text := range w.descriptions(o, last) {
			f.Field = &finding.Field{Path: last.podSpec}
			f.File = o.fileIn(template)
			f.Message = text
			if o.Decision == decision.HeldBack {
				f.Message = "not written, because there are errors: " + text
			}
			all = append(all, f)
		}
	}
	return all
}

// fileIn returns the location of what changes in a pod template, or nil if that is not known.
func (o *Outcome) fileIn(template string) *finding.File {
	if o.Location == nil || o.Changes[o.Location.Change].Template != template {
		return nil
	}
	return o.Location.File
}

// descriptions returns the pod templates that an injector changes, each with its changes in words.
func (w *Workload) descriptions(o *Outcome, last *description) iter.Seq2[string, string] {
	return func(yield func(template, text string) bool) {
		for changes := o.Changes; len(changes) > 0; {
			template := changes[0].Template
			end := slices.IndexFunc(changes, func(c decision.Change) bool { return c.Template != template })
			if end < 0 {
				end = len(changes)
			}
			last.update(changes[:end], w.podSpec(template))
			text := last.text
			if len(w.Templates) > 1 || len(w.Bare) > 0 {
				text = template + ": " + text
			}
			if o.Why != "" && o.Reason != finding.Removed { // what is removed on request needs no explanation
				text += ": " + o.Why
			}
			if changes = changes[end:]; !yield(template, text) {
				return
			}
		}
	}
}

// descriptions are what each injector changed last, by its index among the outcomes of a workload. Most workloads
// change alike.
type descriptions []description

func (d *descriptions) of(injector int) *description {
	if more := injector + 1 - len(*d); more > 0 {
		*d = append(*d, make([]description, more)...)
	}
	return &(*d)[injector]
}

// description is what changes in a pod template.
type description struct {
	changes       []decision.Change
	text, podSpec string
}

// update describes other changes, which are those of one pod template.
func (d *description) update(changes []decision.Change, podSpec string) {
	if !slices.Equal(d.changes, changes) {
		*d = description{changes, decision.Describe(changes), podSpec}
	}
}

// podSpec returns the path of the pod spec of a template.
func (w *Workload) podSpec(template string) string {
	return pod.Template{Path: template, IsBare: slices.Contains(w.Bare, template)}.At("spec")
}
