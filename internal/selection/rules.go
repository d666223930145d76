package selection

import (
	"fmt"
	"slices"
	"strings"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/podtemplate"
)

func (s *Selection) nameMatches(c *Candidate) *Decision {
	matches := func(name *injector.Pattern) bool { return name.MatchString(c.Object.Name) }
	if len(s.injector.Names) > 0 && !slices.ContainsFunc(s.injector.Names, matches) {
		return skip(finding.NameMismatch, "none of spec.names (%s) matches its whole name", strings.Join(s.spec.Names, ", "))
	}
	if i := slices.IndexFunc(s.injector.ExcludeNames, matches); i >= 0 {
		return skip(finding.NameExcluded, "its name matches spec.excludeNames[%d] (%s)", i, s.spec.ExcludeNames[i])
	}
	return inject
}

func (s *Selection) ruleMatches(c *Candidate) *Decision {
	if len(s.spec.Rules) > 0 && !anyRule(s.spec.Rules, c) {
		return skip(finding.RuleMismatch, "spec.rules are for %s, and this is %s", s.ruleText, resource(c))
	}
	if s.hasInitializer && !anyRule(s.initializerRules, c) {
		return skip(finding.RuleMismatch, "the rules of the InitializerConfiguration for %s are for %s, and this is %s",
			InitializerName(s.injector.Name), s.initializerRuleText, resource(c))
	}
	return inject
}

// resource returns the group, version and resource of a workload, as rules have them.
func resource(c *Candidate) string {
	_, version := podtemplate.SplitVersion(c.Object.APIVersion)
	return fmt.Sprintf("%q/%s/%s", c.Kind.Group, version, c.Kind.Resource)
}

// ruleText returns rules as messages show them.
func ruleText(rules []v1alpha1.Rule) string {
	if len(rules) == 0 {
		return "nothing"
	}
	texts := make([]string, len(rules))
	for i, r := range rules {
		texts[i] = fmt.Sprintf("%q/%s/%s", strings.Join(r.APIGroups, ","), strings.Join(r.APIVersions, ","), strings.Join(r.Resources, ","))
	}
	const most = 200
	if text := strings.Join(texts, " or "); len(text) <= most {
		return text
	}
	return fmt.Sprintf("%d resources", len(rules))
}

func anyRule(rules []v1alpha1.Rule, c *Candidate) bool {
	group, version := podtemplate.SplitVersion(c.Object.APIVersion)
	return slices.ContainsFunc(rules, func(r v1alpha1.Rule) bool {
		return holds(r.APIGroups, group) && holds(r.APIVersions, version) && holds(r.Resources, c.Kind.Resource)
	})
}

func holds(list []string, value string) bool {
	return slices.Contains(list, "*") || slices.Contains(list, value)
}
