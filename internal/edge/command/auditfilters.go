package command

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pillion.dev/pillion/internal/audit"
	"pillion.dev/pillion/internal/text/spelling"
)

// auditFilters are the flags for which states of pods an audit shows. The exit code is about these.
type auditFilters struct {
	states     stateList
	namespaces []string
}

func (f *auditFilters) addFlags(cmd *cobra.Command) {
	names := stateNames()
	cmd.Flags().Var(&f.states, "only", "show only pods with one of these `STATES`, separated by commas: "+strings.Join(names, ", "))
	cmd.Flags().StringArrayVarP(&f.namespaces, "namespace", "n", nil, "only pods in this `NAMESPACE`, a name or a glob; can be repeated")
	complete := cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp)
	_ = cmd.RegisterFlagCompletionFunc("only", complete) // fails for a missing flag only
}

// inNamespaces returns the audit with the pods of the namespaces. If no pod is in any of them, the flag is probably misspelt, which is an
// error unless that is allowed: otherwise, a check of nothing would always succeed.
func (f *auditFilters) inNamespaces(of audit.Audit, mayBeEmpty bool) (audit.Audit, error) {
	matches, err := matching("--namespace", f.namespaces)
	if err != nil || len(f.namespaces) == 0 {
		return of, err
	}
	kept := of.Only(func(row *audit.Row) bool { return matches(row.Namespace) })
	if len(kept.Rows) == 0 && len(of.Rows) > 0 && !mayBeEmpty {
		return audit.Audit{}, f.noSuchNamespace(of.Rows)
	}
	return kept, nil
}

// inStates returns the audit with the pods that have one of the states.
func (f *auditFilters) inStates(of audit.Audit) audit.Audit {
	if len(f.states) == 0 {
		return of
	}
	return of.Only(func(row *audit.Row) bool { return slices.Contains(f.states, row.State) })
}

func (f *auditFilters) noSuchNamespace(rows []audit.Row) error {
	seen := map[string]bool{}
	var names []string
	for _, row := range rows {
		if !seen[row.Namespace] {
			seen[row.Namespace] = true
			names = append(names, row.Namespace)
		}
	}
	hint := "check that kubectl reads that namespace, or all of them with -A."
	if near := spelling.Nearest(f.namespaces[0], names); near != "" {
		hint = "did you mean " + near + "?"
	}
	return fmt.Errorf("no pod is in a namespace that matches -n %s; %s --allow-empty accepts none", strings.Join(f.namespaces, ", "), hint)
}

// stateList is a flag with the names of states.
type stateList []audit.State

func (l *stateList) String() string {
	var names []string
	for _, state := range *l {
		names = append(names, string(state))
	}
	return strings.Join(names, ",")
}

// Type returns the type for the help.
func (*stateList) Type() string { return "strings" }

func (l *stateList) Set(value string) error {
	names := stateNames()
	for name := range strings.SplitSeq(value, ",") {
		name = strings.TrimSpace(name)
		if !slices.Contains(names, name) {
			if near := spelling.Nearest(name, names); near != "" {
				return fmt.Errorf("did you mean %s? The states are %s", near, strings.Join(names, ", "))
			}
			return fmt.Errorf("use one or more of %s", strings.Join(names, ", "))
		}
		*l = append(*l, audit.State(name))
	}
	return nil
}

func stateNames() []string {
	var names []string
	for _, state := range audit.States {
		names = append(names, string(state))
	}
	return names
}
