package fn

import (
	"bytes"

	"pillion.dev/pillion/internal/core/engine"
	"pillion.dev/pillion/internal/core/outcome"
)

// The engine's types are internal. The functions in this file convert them to the types of this package, and back.

// engineSources copies the texts, because configs and reports share their memory, and the caller may change it.
func engineSources(sources []Source) []engine.Source {
	all := make([]engine.Source, len(sources))
	for i, s := range sources {
		all[i] = engine.Source(s)
		all[i].Text = bytes.Clone(s.Text)
	}
	return all
}

func newReport(run outcome.Run) Report {
	r := Report{Findings: run.Findings(), Counts: Counts{}, run: run}
	for decision, count := range run.Counts() {
		r.Counts[Decision(decision)] = count
	}
	for _, w := range run.Workloads {
		for _, o := range w.Outcomes {
			r.Outcomes = append(r.Outcomes, Outcome{
				Object: w.Object, File: w.File, Injector: o.Injector,
				Decision: Decision(o.Decision), Reason: o.Reason, Changes: newChanges(o.Changes),
			})
		}
	}
	return r
}

func newChanges(changes []outcome.Change) []Change {
	all := make([]Change, len(changes))
	for i, c := range changes {
		all[i] = Change{
			Verb: string(c.Verb), Template: c.Template, Path: c.Path, Key: c.Key, Field: c.Field,
			Old: c.Old, New: c.New, text: c.String(),
		}
	}
	return all
}

func outcomeCounts(c Counts) outcome.Counts {
	counts := outcome.Counts{}
	for decision, count := range c {
		counts[outcome.Decision(decision)] = count
	}
	return counts
}
