package command

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pillion.dev/pillion/internal/glob"
	"pillion.dev/pillion/internal/outcome"
)

// filters are the flags for which workloads a report shows: those that match one value of each flag that is set.
type filters struct {
	decisions  decisionList
	names      globList
	namespaces globList
}

func (f *filters) addFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.Var(&f.decisions, "only", "show only workloads with one of these `DECISIONS`, separated by commas: "+
		strings.Join(explained(), ", "))
	flags.Var(&f.names, "name", "show only workloads whose name matches this `GLOB`, such as 'web-*'; can be repeated")
	flags.Var(&f.namespaces, "in-namespace", "show only workloads whose namespace matches this `GLOB`; can be repeated")
	complete := cobra.FixedCompletions(explained(), cobra.ShellCompDirectiveNoFileComp)
	_ = cmd.RegisterFlagCompletionFunc("only", complete) // fails for a missing flag only
}

func (f *filters) isSet() bool { return len(f.decisions)+len(f.names)+len(f.namespaces) > 0 }

// apply returns the run with the workloads that match.
func (f *filters) apply(run outcome.Run) outcome.Run {
	if !f.isSet() {
		return run
	}
	return run.Only(func(w *outcome.Workload) bool {
		return (len(f.decisions) == 0 || slices.Contains(f.decisions, string(w.Decision()))) &&
			f.names.match(w.Object.Name) && f.namespaces.match(w.Object.Namespace)
	})
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

// explained returns the names of the decisions that explain reports. Only verify reports workloads as out of date.
func explained() []string {
	var names []string
	for _, d := range outcome.Decisions {
		if d != outcome.OutOfDate {
			names = append(names, string(d))
		}
	}
	return names
}

// globList is a flag with names and globs, of which one must match.
type globList []string

func (l *globList) String() string { return strings.Join(*l, ",") }

// Type returns the type for the help.
func (*globList) Type() string { return "string" }

func (l *globList) Set(value string) error {
	*l = append(*l, value)
	return glob.Check(value)
}

// match reports whether a name matches one of them, or there are none.
func (l *globList) match(name string) bool {
	return len(*l) == 0 || glob.NewList(*l...).Match(name)
}
