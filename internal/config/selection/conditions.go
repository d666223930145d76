package selection

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/labels"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/glob"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// addConditions adds the conditions in their order, without those that hold for every pod template: there may be a hundred injectors, and
// each of them has few.
func (s *Selection) addConditions() {
	for i, never := range s.never {
		s.add(false, func(c *Candidate) bool { return s.matchesLabels(c, never) },
			skip(finding.NeverSelector, "its labels match spec.neverInjectSelector[%d] (%s)", i, never))
	}
	s.addNamespaces()
	if len(s.spec.Rules) > 0 {
		s.addRules("spec.rules", s.spec.Rules)
	}
	initializer := InitializerName(s.injector.Name)
	if rules, isThere := s.around.Initializers[initializer]; isThere {
		s.addRules("the rules of the InitializerConfiguration for "+initializer, rules)
	}
	s.addNames()
	if !s.selector.Empty() {
		s.conditions = append(s.conditions, condition{s.labelsMatch(), true})
	}
	s.conditions = append(s.conditions, condition{s.optedIn, true})
	s.addKnownNamespace()
	s.addPolicies()
}

// add adds the condition that something is not so, given the decision if it is.
func (s *Selection) add(selects bool, isSo func(*Candidate) bool, d *Decision) {
	s.conditions = append(s.conditions, condition{selects: selects, check: func(c *Candidate) *Decision {
		if isSo(c) {
			return d
		}
		return nil
	}})
}

// skipIf adds a condition on whom the injector is for.
func (s *Selection) skipIf(isSo func(*Candidate) bool, code finding.Code, format string, args ...any) {
	s.add(true, isSo, skip(code, format, args...))
}

func (s *Selection) addRules(field string, rules []v1alpha1.Rule) {
	s.skipIf(func(c *Candidate) bool { return !anyRule(rules, c) },
		finding.RuleMismatch, "%s are for %s, and this is %s", field, ruleText(rules), ofCandidate(resource))
}

func anyRule(rules []v1alpha1.Rule, c *Candidate) bool {
	has := func(list []string, value string) bool {
		return slices.Contains(list, "*") || slices.Contains(list, value)
	}
	group, version := pod.SplitVersion(c.Object.APIVersion)
	return slices.ContainsFunc(rules, func(r v1alpha1.Rule) bool {
		return has(r.APIGroups, group) && has(r.APIVersions, version) && has(r.Resources, c.Kind.Resource)
	})
}

// resource returns the group, version and resource of a workload, as rules have them.
func resource(c *Candidate) string {
	_, version := pod.SplitVersion(c.Object.APIVersion)
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
	return brief(strings.Join(texts, " or "), len(rules), "resources")
}

// brief returns a text for a message, or if that is too long, how many things it has.
func brief(text string, count int, things string) string {
	const most = 200
	if len(text) <= most {
		return text
	}
	return fmt.Sprintf("%d %s", count, things)
}

func (s *Selection) addNames() {
	if len(s.spec.Names) > 0 {
		names := glob.NewList(s.spec.Names...)
		s.skipIf(func(c *Candidate) bool { return !names.Match(c.Object.Name) },
			finding.NameMismatch, "none of spec.names (%s) matches its name", strings.Join(s.spec.Names, ", "))
	}
	if len(s.spec.ExcludeNames) > 0 {
		names := glob.NewList(s.spec.ExcludeNames...)
		s.skipIf(func(c *Candidate) bool { return names.Match(c.Object.Name) },
			finding.NameExcluded, "its name is in spec.excludeNames (%s)", strings.Join(s.spec.ExcludeNames, ", "))
	}
}

// labelsMatch returns the condition that the selector matches. Its decisions are made once, because a mismatch is what nearly all of a
// hundred injectors find.
func (s *Selection) labelsMatch() func(*Candidate) *Decision {
	const mismatch = "its labels (%s) do not match spec.selector (%s)"
	shown, scope := ofCandidate(s.shownLabels), s.spec.SelectorScope
	broken := ofCandidate(func(c *Candidate) string { return c.Template.Broken.Error() })
	other := skip(finding.SelectorMismatch, mismatch, shown, s.selector)
	onWorkload := skipWithWarning(finding.SelectorMismatch, mismatch+", although the labels of the workload do; "+
		"label the pod template, or set spec.selectorScope to Any", shown, s.selector)
	onBroken := skip(finding.SelectorMismatch, mismatch+"; %s", shown, s.selector, broken)
	return func(c *Candidate) *Decision {
		switch {
		case s.matchesLabels(c, s.selector):
			return nil
		case scope == v1alpha1.ScopePodTemplate && s.selector.Matches(c.allLabels()[ofWorkload]):
			return onWorkload
		case c.Template.Broken != nil && len(c.allLabels()[ofPod]) == 0: // the labels are not the mistake
			return onBroken
		default:
			return other
		}
	}
}

// labelSets returns the labels that selectors apply to.
func (s *Selection) labelSets(c *Candidate) []labels.Set {
	switch s.spec.SelectorScope {
	case v1alpha1.ScopeWorkload:
		return c.allLabels()[ofWorkload:]
	case v1alpha1.ScopeAny:
		return c.allLabels()
	default:
		return c.allLabels()[:ofWorkload]
	}
}

// shownLabels returns the labels that a message about the selector shows.
func (s *Selection) shownLabels(c *Candidate) string {
	set := s.labelSets(c)[0]
	if len(set) == 0 {
		return "none"
	}
	return brief(set.String(), len(set), "of them")
}

// matchesLabels reports whether a selector matches one of the sets of labels that it applies to.
func (s *Selection) matchesLabels(c *Candidate, selector labels.Selector) bool {
	return slices.ContainsFunc(s.labelSets(c), func(set labels.Set) bool { return selector.Matches(set) })
}

// addPolicies adds the conditions on a pod template that the injector selects.
func (s *Selection) addPolicies() {
	add := func(d *Decision, isSo func(*Candidate) bool) {
		d.Matched = true
		s.add(false, isSo, d)
	}
	if s.injector.Paused {
		by := "the SidecarSet is paused (spec.injectionStrategy.paused)"
		if s.spec.Paused {
			by = "the injector is paused (spec.paused)"
		}
		add(skip(finding.Paused, "%s", by), func(*Candidate) bool { return true })
	}
	add(skipWithWarning(finding.NoContainers, "%s has no containers, so it is probably a patch; inject into the workload that it is for, "+
		"or set partial: true in spec.workloads if an operator adds them", ofCandidate(podSpec)), lacksContainers)
	addPolicy := func(code finding.Code, fact ofCandidate, field, value, injects string) {
		isSo := func(c *Candidate) bool { return fact(c) != "" }
		switch value {
		case "Skip":
			add(skip(code, "%s, and %s is Skip (%s injects)", fact, field, injects), isSo)
		case "Error":
			add(refuse(code, "%s, and %s is Error; set it to Skip or %s, or keep this workload out", fact, field, injects), isSo)
		}
	}
	native := v1alpha1.JobsNative
	if !s.injector.SupportsNative() {
		native = v1alpha1.JobsInject
	}
	addPolicy(finding.HostNetwork, hostNetwork, "spec.hostNetwork", string(s.spec.HostNetwork), "Inject")
	addPolicy(finding.JobSkipped, finishes, "spec.jobs", string(s.spec.Jobs), string(native))
	addPolicy(finding.HelmHook, helmHook, "spec.helmHooks", string(s.spec.HelmHooks), "Inject")
}

func podSpec(c *Candidate) string { return c.Template.At("spec") }

// lacksContainers reports whether a pod template would run only what is injected.
func lacksContainers(c *Candidate) bool {
	return !c.Kind.Partial && c.Template.Broken == nil && len(node.List(c.Template.Spec(), pod.Main)) == 0
}

// hostNetwork, finishes and helmHook return what a policy is about, or "" if it is not so.
func hostNetwork(c *Candidate) string {
	value := node.Get(c.Template.Spec(), "hostNetwork")
	switch on, isBool := node.Bool(value); {
	case node.IsNull(value) || isBool && !on:
		return ""
	case isBool:
		return "it uses the host's network"
	default: // it may become true before it reaches the cluster
		return "its hostNetwork is " + node.Describe(value) + ", which is not a boolean"
	}
}

func finishes(c *Candidate) string {
	if c.Finishes() {
		return "its pods are meant to finish"
	}
	return ""
}

func helmHook(c *Candidate) string {
	if hook := node.Text(c.Workload, "metadata", "annotations", "helm.sh/hook"); hook != "" {
		return "it is a Helm hook (" + hook + ")"
	}
	return ""
}
