package engine

import (
	"fmt"
	"strings"

	"pillion.dev/pillion/internal/selection"
)

// skips are the decisions, as expected, not to inject into one pod template, by reason.
type skips []skip

// skip is one reason, and the injectors that have it.
type skip struct {
	injectors []int
	first     selection.Decision
}

func (s *skips) add(which int, d selection.Decision) {
	for i := range *s {
		if (*s)[i].first.Code == d.Code {
			(*s)[i].injectors = append((*s)[i].injectors, which)
			return
		}
	}
	*s = append(*s, skip{injectors: []int{which}, first: d})
}

// manyInjectors is from how many injectors on one reason is said once for all of them: a
// hundred times the same about each of a thousand pods helps nobody.
const manyInjectors = 5

// sayAll says the reasons of all injectors that leave a pod template alone.
func (w *workload) sayAll(all skips, c selection.Candidate) {
	for _, s := range all {
		for _, which := range s.injectors {
			w.outcome.skipped = append(w.outcome.skipped, skipped{which: which, code: s.first.Code})
		}
		if len(s.injectors) >= manyInjectors {
			w.say(Finding{Severity: Info, Code: s.first.Code, Field: specOf(c), Message: w.summary(s)})
			continue
		}
		for _, which := range s.injectors {
			d := w.run.selections[which].Decide(c) // only now, for the words
			w.say(Finding{Severity: Info, Code: d.Code, Message: d.Message(), Field: specOf(c), Injector: w.run.injectors[which].Name})
		}
	}
}

// summary names a few of the injectors that share a reason.
func (w *workload) summary(s skip) string {
	const few = 3
	names := make([]string, few)
	for i := range names {
		names[i] = w.run.injectors[s.injectors[i]].Name
	}
	return fmt.Sprintf("%d injectors are not for it: %s and %d more", len(s.injectors), strings.Join(names, ", "), len(s.injectors)-few)
}
