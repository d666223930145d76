package command

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/decision"
	"pillion.dev/pillion/internal/core/outcome"
)

// filters is the flag for which of the workloads a report shows.
type filters struct{ decisions choices }

func (f *filters) addFlags(cmd *cobra.Command) {
	f.decisions = choices{from: explained(), isMeant: isDecision} // without a hint: outdated is spelt like updated, and is not meant
	f.decisions.addFlag(cmd, "only",
		"show only workloads with one of these `DECISIONS`, separated by commas: "+f.decisions.list(), f.decisions.from)
}

func (f *filters) isSet() bool { return f.decisions.isSet }

// apply returns the run with the workloads that match.
func (f *filters) apply(run outcome.Run) outcome.Run {
	if !f.isSet() {
		return run
	}
	return run.Only(func(w *outcome.Workload) bool { return slices.Contains(f.decisions.values, string(w.Decision())) })
}

// isDecision reports whether a word is what a table shows for a decision.
func isDecision(word, name string) bool {
	words := strings.ReplaceAll(word, "-", " ")
	d := decision.Decision(name)
	return words == d.Words(false) || words == d.Words(true)
}

// explained returns the names of the decisions that explain reports. Only verify has the other one.
func explained() []string {
	return slices.DeleteFunc(v1alpha1.Words(decision.All()...), func(name string) bool { return name == string(decision.Outdated) })
}
