package outcome_test

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"pillion.dev/pillion/decision"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/outcome"
)

// TestAWorkloadIsDescribedAloneAsAmongOthers has workloads whose changes are often, but not always, those of the
// workload before.
func TestAWorkloadIsDescribedAloneAsAmongOthers(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	pick := func(texts ...string) string { return texts[random.IntN(len(texts))] }
	var run outcome.Run
	var want []finding.Finding
	randomOutcome := func() *outcome.Outcome {
		decisions := []decision.Decision{decision.Injected, decision.Updated, decision.HeldBack, decision.Unchanged, decision.Outdated}
		o := &outcome.Outcome{Decision: decisions[random.IntN(len(decisions))], Why: pick("", "", "it was deleted")}
		for range random.IntN(3) {
			o.Changes = append(o.Changes, decision.Change{
				Verb: decision.Adds, Template: pick("", "spec.template"), Path: pick("spec/containers", "spec/volumes"), Key: pick("a", "b"),
			})
		}
		return o
	}
	for range 2000 {
		w := &outcome.Workload{Templates: []string{"", "spec.template"}[random.IntN(2):]}
		for range 1 + random.IntN(3) {
			w.Outcomes = append(w.Outcomes, randomOutcome())
		}
		run.Workloads, want = append(run.Workloads, w), append(want, w.Findings()...)
	}
	if got := run.Findings(); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
