package outcome

import (
	"strings"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/edit"
)

// Findings are all findings of the run: about the config, about the workloads in the order of the input, about the run as a
// whole, and what it costs.
func (r Run) Findings() []finding.Finding {
	all := append(make([]finding.Finding, 0, len(r.Config)+len(r.Workloads)+len(r.General)+1), r.Config...)
	seen := map[[2]string]bool{}
	for i := range r.Workloads {
		first := len(all)
		all = r.Workloads[i].appendFindings(all)
		all = append(all[:first], withoutRepeated(all[first:], seen)...)
	}
	all = append(all, r.General...)
	if total := r.Cost().String(); total != "" && !r.Failed() {
		all = append(all, finding.Finding{Severity: finding.Info, Code: finding.Cost, Message: total})
	}
	return all
}

// withoutRepeated drops warnings about an injector's own container that were seen with an earlier workload: the payload
// is the same, and so is the remedy.
func withoutRepeated(findings []finding.Finding, seen map[[2]string]bool) []finding.Finding {
	kept := findings[:0]
	for _, f := range findings {
		if f.Severity == finding.Warning && (f.Code == finding.NoResources || f.Code == finding.NoDigest) {
			key := [2]string{f.Injector, f.Message}
			if seen[key] {
				continue
			}
			seen[key] = true
		}
		kept = append(kept, f)
	}
	return kept
}

// Findings are all findings about the workload: those of each injector with its decision, and then the general ones.
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

// appendDecision states what was decided: one finding for each pod template that changes.
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
		for changes := o.Changes; len(changes) > 0; {
			end := endOfTemplate(changes)
			f.Field, f.Message = podSpec(changes[0].Template), w.describe(o, changes[:end])
			if o.Decision == HeldBack {
				f.Message = "not written, because there are errors: " + f.Message
			}
			all, changes = append(all, f), changes[end:]
		}
	}
	return all
}

// describe puts the changes of one pod template into words.
func (w *Workload) describe(o *Outcome, changes []Change) string {
	text := Describe(changes)
	if len(w.Templates) > 1 {
		text = changes[0].Template + ": " + text
	}
	if o.Why != "" {
		text += ": " + o.Why
	}
	return text
}

// endOfTemplate is how many of the changes are to the first one's pod template.
func endOfTemplate(changes []Change) int {
	for i := range changes {
		if changes[i].Template != changes[0].Template {
			return i
		}
	}
	return len(changes)
}

// outOfDate refuses a workload that an injection would change, and shows how.
func (w *Workload) outOfDate() finding.Finding {
	var texts []string
	for i := range w.Outcomes {
		for changes := w.Outcomes[i].Changes; len(changes) > 0; {
			end := endOfTemplate(changes)
			texts = append(texts, w.describe(&w.Outcomes[i], changes[:end]))
			changes = changes[end:]
		}
	}
	return finding.Finding{
		Severity: finding.Error, Code: finding.OutOfDate, Detail: w.shortDiff(),
		Message: "it is not as an injection would make it: " + strings.Join(texts, "; ") + "; run the injection and commit the result",
	}
}

// shortDiff shows what would change, as far as people read.
func (w *Workload) shortDiff() string {
	const most = 200
	lines := strings.SplitAfter("--- as it is\n+++ as it should be\n"+string(w.Hunks(edit.Context)), "\n")
	if len(lines) > most {
		lines = append(lines[:most], "...\n")
	}
	return strings.Join(lines, "")
}

// podSpec is the pod spec of a template as the place of a finding.
func podSpec(template string) *finding.Field {
	if template == "" {
		return &finding.Field{Path: "spec"}
	}
	return &finding.Field{Path: template + ".spec"}
}
