package outcome

import (
	"iter"
	"slices"
	"strings"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/edit"
	"pillion.dev/pillion/internal/podtemplate"
)

// Findings returns all findings of the run: about the config, about the workloads in the order of the input, about the run
// as a whole, and what the sidecars cost.
func (r Run) Findings() []finding.Finding {
	all := append(make([]finding.Finding, 0, len(r.Config)+len(r.Workloads)+len(r.General)+1), r.Config...)
	for i := range r.Workloads {
		all = r.Workloads[i].appendFindings(all)
	}
	all = append(withoutRepeated(all), r.General...)
	if total := r.Cost().String(); total != "" && !r.Failed() {
		all = append(all, finding.Finding{Severity: finding.Info, Code: finding.Cost, Message: total})
	}
	return all
}

// withoutRepeated drops warnings about an injector's own container that an earlier workload has, too: the payload is the
// same, and so is the remedy.
func withoutRepeated(findings []finding.Finding) []finding.Finding {
	seen := map[[2]string]bool{}
	return slices.DeleteFunc(findings, func(f finding.Finding) bool {
		if f.Severity != finding.Warning || f.Code != finding.NoResources && f.Code != finding.NoDigest {
			return false
		}
		key := [2]string{f.Injector, f.Message}
		isRepeated := seen[key]
		seen[key] = true
		return isRepeated
	})
}

// Findings returns all findings about the workload: those of each injector with its decision, and then the general ones.
func (w *Workload) Findings() []finding.Finding { return w.appendFindings(nil) }

func (w *Workload) appendFindings(all []finding.Finding) []finding.Finding {
	first := len(all)
	for i := range w.Outcomes {
		all = append(all, w.Outcomes[i].Findings...)
		all = w.appendDecision(all, &w.Outcomes[i])
	}
	all = append(all, w.General...)
	if w.Decision() == OutOfDate {
		all = append(all, w.outOfDate())
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
func (w *Workload) appendDecision(all []finding.Finding, o *Outcome) []finding.Finding {
	f := finding.Finding{Severity: finding.Info, Code: o.Decision.Code(), Injector: o.Injector}
	switch o.Decision {
	case Unchanged:
		f.Message = "nothing to change"
		if len(w.Templates) > 0 {
			f.Field = podSpec(w.Templates[0])
		}
		return append(all, f)
	case Injected, Updated, Removed, HeldBack:
		for template, text := range w.descriptions(o) {
			f.Field, f.Message = podSpec(template), text
			if o.Decision == HeldBack {
				f.Message = "not written, because there are errors: " + text
			}
			all = append(all, f)
		}
	}
	return all
}

// descriptions returns the pod templates that an injector changes, each with its changes in words.
func (w *Workload) descriptions(o *Outcome) iter.Seq2[string, string] {
	return func(yield func(template, text string) bool) {
		for changes := o.Changes; len(changes) > 0; {
			template := changes[0].Template
			end := slices.IndexFunc(changes, func(c Change) bool { return c.Template != template })
			if end < 0 {
				end = len(changes)
			}
			text := Describe(changes[:end])
			if len(w.Templates) > 1 {
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

// outOfDate refuses a workload that an injection would change, and shows the change.
func (w *Workload) outOfDate() finding.Finding {
	var texts []string
	for i := range w.Outcomes {
		for _, text := range w.descriptions(&w.Outcomes[i]) {
			texts = append(texts, text)
		}
	}
	return finding.Finding{
		Severity: finding.Error, Code: finding.OutOfDate, Detail: w.shortDiff(),
		Message: "it is not as an injection would make it: " + strings.Join(texts, "; ") + "; run the injection and commit the result",
	}
}

// shortDiff returns the first lines of what would change.
func (w *Workload) shortDiff() string {
	const most = 200
	lines := strings.SplitAfter("--- as it is\n+++ as it should be\n"+string(w.Hunks(edit.Context)), "\n")
	if len(lines) > most {
		lines = append(lines[:most], "...\n")
	}
	return strings.Join(lines, "")
}

// podSpec returns the pod spec of a template as the field of a finding.
func podSpec(template string) *finding.Field {
	return &finding.Field{Path: podtemplate.Template{Path: template}.At("spec")}
}
