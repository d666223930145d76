package export

import (
	"regexp"
	"slices"
	"strings"

	"pillion.dev/pillion/internal/pod"
)

// Target is kustomize's selector of objects. All fields except the label selector are regular expressions that match the
// whole value.
type Target struct {
	Group, Version, Kind, Name, Namespace, LabelSelector string
}

// target returns a target for workloads of the injector. It matches every combination of the groups and the names of the
// kinds; callers pass kinds for which this matches no other object.
func (s scope) target(kinds []pod.Kind, namespaces, names []string) Target {
	var groups, kindNames []string
	for _, kind := range kinds {
		groups, kindNames = append(groups, kind.Group), append(kindNames, kind.Kind)
	}
	return Target{
		Group: groupExpression(groups), Version: version, Kind: alternatives(kindNames),
		Namespace: alternatives(namespaces), Name: alternatives(names), LabelSelector: s.labelSelector,
	}
}

// groupExpression returns an expression that matches the groups. The core group needs one of its own, because an empty
// expression matches every group.
func groupExpression(groups []string) string {
	named := slices.DeleteFunc(slices.Clone(groups), func(group string) bool { return group == "" })
	expression := alternatives(named)
	switch {
	case len(named) == len(groups):
		return expression
	case expression == "":
		return "^$"
	default:
		return "(" + expression + ")?"
	}
}

// namespaceExpression returns an expression that matches the namespaces, some of which may be patterns.
func namespaceExpression(namespaces []string) string {
	wildcards := strings.NewReplacer(`\*`, ".*", `\?`, ".")
	return wildcards.Replace(alternatives(namespaces))
}

// alternatives returns an expression that matches any of the values.
func alternatives(values []string) string {
	quoted := make([]string, len(values))
	for i, value := range values {
		quoted[i] = regexp.QuoteMeta(value)
	}
	slices.Sort(quoted)
	return strings.Join(slices.Compact(quoted), "|")
}
