package selection

import (
	"fmt"
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/injector"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/glob"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// check is a condition of a selection, ready to check.
type check struct {
	*injector.Condition

	selection *Selection
	selector  labels.Selector
	names     glob.List
	rules     string   // as messages show them
	against   Decision // about a pod template that does not meet it
}

// add adds a condition. What its check needs is made here, once for all pod templates: there may be a hundred
// injectors.
func (s *Selection) add(c *injector.Condition) error {
	selector, err := metav1.LabelSelectorAsSelector(c.Selector)
	if err != nil {
		return err
	}
	if c.Kind == injector.OnNamespaceSelector {
		s.namespaceSelector = selector
		s.uncertain = uncertainNamespaces(&s.surroundings, selector)
	}
	if selector.Empty() && c.Kind != injector.OnNeverSelector {
		return nil // so that labels are read only if they are needed
	}
	s.checks = append(s.checks, check{Condition: c, selection: s, selector: selector})
	added := &s.checks[len(s.checks)-1] // they do not move
	added.against = Decision{Matched: c.IsPolicy(), Severity: c.Severity, Code: c.Code, of: added}
	if len(c.Names) > 0 {
		added.names = glob.NewList(c.Names...)
	}
	if len(c.Rules) > 0 {
		added.rules = ruleText(c.Rules)
	}
	if c.Kind == injector.OnSelector {
		s.onWorkload = added.against
		s.onWorkload.Severity = finding.Warning
		s.onWorkload.more = ", although the labels of the workload do; " +
			"label the pod template, or set spec.selectorScope to Workload"
		s.onMisplaced = added.against
		s.onMisplaced.Severity = finding.Warning
		s.onMisplaced.more = ", although those in ${misplaced} do; move them to ${podLabels}"
		s.onBroken = added.against
		s.onBroken.more = "; ${broken}"
	}
	return nil
}

// decide returns the decision against a pod template in a namespace that does not meet the condition, or nil.
func (c *check) decide(of *Candidate, namespace string) *Decision {
	switch c.Kind {
	case injector.OnSelector:
		return c.selection.labelsMatch(c, of)
	case injector.OnOptIn, injector.OnMarker:
		return c.selection.optedIn(of)
	}
	if c.isMet(of, namespace) {
		return nil
	}
	return &c.against
}

// isInPatch reports whether the condition is about the workloads of a chart, which nobody knows here: the target of a
// patch has it, or patches cannot express it.
func (c *check) isInPatch() bool {
	switch c.Kind {
	case injector.OnNeverSelector, injector.OnSelector, injector.OnRules, injector.OnJobs:
		return true
	}
	return false
}

// labelsMatch decides by the selector. If it does not match, there may be more to say about it.
func (s *Selection) labelsMatch(c *check, of *Candidate) *Decision {
	switch {
	case c.selector.Matches(s.labelsOfScope(of)):
		return nil
	case s.spec.SelectorScope == v1alpha1.ScopePodTemplate && c.selector.Matches(of.allLabels()[ofWorkload]):
		return &s.onWorkload
	case s.spec.SelectorScope == v1alpha1.ScopePodTemplate && of.findMisplaced(c.selector) != "":
		return &s.onMisplaced
	case of.Template.Broken != nil && len(of.allLabels()[ofPod]) == 0: // the labels are not the mistake
		return &s.onBroken
	}
	return &c.against
}

// isMet reports whether a pod template in a namespace meets the condition.
func (c *check) isMet(of *Candidate, namespace string) bool {
	s := c.selection
	switch c.Kind {
	case injector.OnNeverSelector:
		return !c.selector.Matches(s.labelsOfScope(of))
	case injector.OnRules:
		group, version := pod.SplitVersion(of.Object.APIVersion)
		return c.HasResource(group, version, of.Kind.Resource)
	case injector.OnNames:
		return c.names.Match(of.Object.Name)
	case injector.OnExcludeNames:
		return !c.names.Match(of.Object.Name)
	case injector.OnContainers:
		return !lacksContainers(of)
	case injector.OnHostNetwork:
		return hostNetwork(of) == ""
	case injector.OnJobs:
		return !of.Finishes()
	case injector.OnHelmHooks:
		return helmHook(of) == ""
	}
	return c.isMetBy(namespace)
}

// isMetBy reports whether a namespace meets the condition. It is empty if it is not known.
func (c *check) isMetBy(namespace string) bool {
	s := c.selection
	switch c.Kind {
	case injector.OnNamespaces:
		return namespace != "" || !c.names.Match(namespace)
	case injector.OnExcluded:
		return !c.names.Match(namespace)
	case injector.OnIncluded:
		return namespace == "" || c.names.Match(namespace)
	case injector.OnNamespaceSelector:
		set, isKnown := s.labelsOf(namespace)
		return namespace == "" || !isKnown || s.uncertain[namespace] != "" || c.selector.Matches(set)
	case injector.OnCertainLabels:
		return s.uncertain[namespace] == ""
	case injector.OnKnownLabels:
		_, isKnown := s.labelsOf(namespace)
		return namespace == "" || isKnown
	case injector.OnKnownNamespace:
		return namespace != ""
	}
	return false // it is paused
}

// text returns what stands for a name in the reason, for a pod template.
func (c *check) text(name string, of *Candidate) string {
	s := c.selection
	switch name {
	case "index":
		return strconv.Itoa(c.Index)
	case "field":
		return c.Field
	case "values":
		return c.values()
	case "namespace":
		return s.namespaceOf(of)
	case "toInclude":
		return s.includeReserved(of)
	case "uncertain":
		return s.uncertain[s.namespaceOf(of)]
	case "resource":
		return resource(of)
	case "labels":
		return s.shownLabels(of)
	case "misplaced":
		return of.findMisplaced(c.selector)
	case "podLabels":
		return of.Template.At("metadata.labels")
	case "broken":
		return of.Template.Broken.Error()
	case "podSpec":
		return of.Template.At("spec")
	case "injects":
		return c.Injects
	case "hostNetwork":
		return hostNetwork(of)
	case "helmHook":
		return helmHook(of)
	}
	return "${" + name + "}"
}

// values returns the values that the condition compares with.
func (c *check) values() string {
	switch {
	case c.Selector != nil:
		return c.selector.String()
	case len(c.Names) > 0:
		return strings.Join(c.Names, ", ")
	}
	return c.rules
}

// resource returns the group, version and resource of a workload, as rules have them.
func resource(c *Candidate) string {
	_, version := pod.SplitVersion(c.Object.APIVersion)
	return fmt.Sprintf("%q/%s/%s", c.Kind.Group, version, c.Kind.Resource)
}

// ruleText returns rules as messages show them.
func ruleText(rules []v1alpha1.Rule) string {
	texts := make([]string, len(rules))
	for i, r := range rules {
		texts[i] = fmt.Sprintf("%q/%s/%s", strings.Join(r.APIGroups, ","), strings.Join(r.APIVersions, ","),
			strings.Join(r.Resources, ","))
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

// labelsOfScope returns the labels that selectors apply to.
func (s *Selection) labelsOfScope(c *Candidate) labels.Set {
	if s.spec.SelectorScope == v1alpha1.ScopeWorkload {
		return c.allLabels()[ofWorkload]
	}
	return c.allLabels()[ofPod]
}

// shownLabels returns the labels that a message about the selector shows.
func (s *Selection) shownLabels(c *Candidate) string {
	set := s.labelsOfScope(c)
	if len(set) == 0 {
		return "none"
	}
	return brief(set.String(), len(set), "of them")
}

// lacksContainers reports whether a pod template would run only what is injected.
func lacksContainers(c *Candidate) bool {
	return !c.Kind.Partial && c.Template.Broken == nil && len(node.List(c.Template.Spec(), pod.Main)) == 0
}

// hostNetwork returns what a pod says about the host's network, or "" if it does not use it.
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

func helmHook(c *Candidate) string {
	return node.Text(c.Workload, "metadata", "annotations", "helm.sh/hook")
}
