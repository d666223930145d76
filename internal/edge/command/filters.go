package command

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pillion.dev/pillion/internal/core/outcome"
)

// filters is the flag for which of the workloads a report shows.
type filters struct{ decisions decisionList }

func (f *filters) addFlags(cmd *cobra.Command) {
	cmd.Flags().Var(&f.decisions, "only", "show only workloads with one of these `DECISIONS`, separated by commas: "+
		strings.Join(explained(), ", "))
	complete := cobra.FixedCompletions(explained(), cobra.ShellCompDirectiveNoFileComp)
	_ = cmd.RegisterFlagCompletionFunc("only", complete) // fails for a missing flag only
}

func (f *filters) isSet() bool { return len(f.decisions) > 0 }

// apply returns the run with the workloads that match.
func (f *filters) apply(run outcome.Run) outcome.Run {
	if !f.isSet() {
		return run
	}
	return run.Only(func(w *outcome.Workload) bool { return slices.Contains(f.decisions, string(w.Decision())) })
}

// decisionList is a flag with the names of decisions.
type decisionList []string

func (l *decisionList) String() string { return strings.Join(*l, ",") }

// Type returns the type for the help.
func (*decisionList) Type() string { return "strings" }

func (l *decisionList) Set(value string) error {
	for name := range strings.SplitSeq(value, ",") {
		name = strings.TrimSpace(name)
		i := slices.IndexFunc(explained(), func(d string) bool { return isName(name, outcome.Decision(d)) })
		if i < 0 {
			return fmt.Errorf("use one or more of %s", strings.Join(explained(), ", "))
		}
		*l = append(*l, explained()[i])
	}
	return nil
}

// isName reports whether a name is that of a decision, or what a table shows for it.
func isName(name string, d outcome.Decision) bool {
	words := strings.ReplaceAll(name, "-", " ")
	return words == d.Words(false) || words == d.Words(true)
}

// explained returns the names of the decisions that explain reports. Only verify has the other one.
func explained() []string {
	var names []string
	for _, d := range outcome.Decisions {
		if d != outcome.Outdated {
			names = append(names, string(d))
		}
	}
	return names
}
