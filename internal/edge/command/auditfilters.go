package command

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/audit"
	"pillion.dev/pillion/internal/text/spelling"
)

// auditFilters are the flags for which states of pods an audit shows. The exit code is about these.
type auditFilters struct {
	states     choices
	namespaces []string
}

func (f *auditFilters) addFlags(cmd *cobra.Command) {
	f.states = choices{from: v1alpha1.Words(audit.States...), noun: "states"}
	f.states.addFlag(cmd, "only",
		"show only pods with one of these `STATES`, separated by commas: "+f.states.list(), f.states.from)
	cmd.Flags().StringArrayVarP(&f.namespaces, "namespace", "n", nil, "only pods in this `NAMESPACE`, a name or a glob; can be repeated")
}

// inNamespaces returns the audit with the pods of the namespaces. If no pod is in any of them, the flag is probably
// misspelt, which is an error unless that is allowed: otherwise, a check of nothing would always succeed.
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
	if !f.states.isSet {
		return of
	}
	return of.Only(func(row *audit.Row) bool { return slices.Contains(f.states.values, string(row.State)) })
}

func (f *auditFilters) noSuchNamespace(rows []audit.Row) error {
	var names []string
	for _, row := range rows {
		names = append(names, row.Namespace)
	}
	hint := "check that kubectl reads that namespace, or all of them with -A."
	if near := spelling.Nearest(f.namespaces[0], names); near != "" {
		hint = "did you mean " + near + "?"
	}
	return fmt.Errorf("no pod is in a namespace that matches -n %s; %s --allow-empty accepts none", strings.Join(f.namespaces, ", "), hint)
}
