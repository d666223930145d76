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
		all[i] = engine.Source{File: s.File, Text: bytes.Clone(s.Text), MayBeEmpty: s.MayBeEmpty}
	}
	return all
}

func newReport(run outcome.Run) Report {
	r := Report{Findings: run.Findings(), Counts: countsBy[Decision](run.Counts()), run: run}
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
		all[i] = Change(c)
	}
	return all
}

// countsBy returns counts by decisions of another type.
func countsBy[To, From ~string](counts map[From]int) map[To]int {
	all := make(map[To]int, len(counts))
	for decision, count := range counts {
		all[To(decision)] = count
	}
	return all
}
