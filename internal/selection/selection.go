// Package selection decides which pod templates an injector is for, and says why.
package selection

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/podtemplate"
	"pillion.dev/pillion/internal/yaml/node"
)

// Candidate is a pod template that may get a sidecar, with the workload around it.
type Candidate struct {
	Object   *finding.Object
	Kind     podtemplate.Kind
	Workload *yaml.Node
	Template podtemplate.Template
	Waited   []string // the injectors that the workload no longer waits for, because they are in

	podLabels, workloadLabels labels.Set // read once, for all injectors
}

// CandidatesOf is a candidate for each pod template of a workload.
func CandidatesOf(object *finding.Object, kind podtemplate.Kind, workload *yaml.Node) []Candidate {
	templates := kind.Templates(workload)
	candidates := make([]Candidate, len(templates))
	for i, template := range templates {
		candidates[i] = Candidate{
			Object: object, Kind: kind, Workload: workload, Template: template,
			podLabels:      node.Map(template.Node, "metadata", "labels"),
			workloadLabels: node.Map(workload, "metadata", "labels"),
		}
	}
	return candidates
}

// Decision is whether to inject, and if not, why.
type Decision struct {
	Inject bool
	// Matched says that the injector is for this pod, and only a policy keeps it away.
	Matched bool

	Severity finding.Severity
	Code     finding.Code
	// Field is the place of what decided, from the workload on; empty where that is no single field.
	Field string

	format string
	args   []any
}

// Message is the reason in words. It is put together when it is asked for, because a hundred
// injectors have a hundred reasons for each pod that nobody reads one by one.
func (d Decision) Message() string { return fmt.Sprintf(d.format, d.args...) }

var inject = Decision{Inject: true}

func skip(code finding.Code, format string, args ...any) Decision {
	return Decision{Severity: finding.Info, Code: code, format: format, args: args}
}

func skipLoudly(code finding.Code, format string, args ...any) Decision {
	return Decision{Severity: finding.Warning, Code: code, format: format, args: args}
}

// at is the decision with the place of what decided.
func (d Decision) at(field string) Decision {
	d.Field = field
	return d
}

func refuse(code finding.Code, format string, args ...any) Decision {
	return Decision{Severity: finding.Error, Code: code, format: format, args: args}
}

// Selection is the "who" of one injector, ready to be asked.
type Selection struct {
	name   string
	paused bool
	spec   *v1alpha1.SidecarInjectorSpec
	around Surroundings

	selector          labels.Selector
	never             []labels.Selector
	namespaceSelector labels.Selector
	names             []*regexp.Regexp
}

// Of prepares the selection of an injector. The injector was validated when it was read, so
// an error here is a defect.
func Of(in *injector.Injector, around Surroundings) (*Selection, error) {
	s := &Selection{name: in.Name, paused: in.Paused, spec: &in.Spec, names: in.Names, around: around}
	var err error
	if s.selector, err = selectorOf(in.Spec.Selector); err != nil {
		return nil, err
	}
	if s.namespaceSelector, err = selectorOf(in.Spec.NamespaceSelector); err != nil {
		return nil, err
	}
	for i := range in.Spec.NeverInjectSelector {
		never, err := selectorOf(&in.Spec.NeverInjectSelector[i])
		if err != nil {
			return nil, err
		}
		s.never = append(s.never, never)
	}
	return s, nil
}

// selectorOf reads a selector that is not set as one that everything matches.
func selectorOf(selector *metav1.LabelSelector) (labels.Selector, error) {
	if selector == nil {
		return labels.Everything(), nil
	}
	return metav1.LabelSelectorAsSelector(selector)
}

// Decide asks all conditions in turn; the first that does not hold is the reason.
func (s *Selection) Decide(c Candidate) Decision {
	if d := s.neverInject(c); !d.Inject {
		return d
	}
	if !c.Waits(s.name) {
		for _, condition := range []func(Candidate) Decision{
			s.namespaceIncluded, s.namespaceSelected, s.ruleMatches, s.nameMatches, s.labelsMatch, s.optedIn,
		} {
			if d := condition(c); !d.Inject {
				return d
			}
		}
	}
	for _, policy := range []func(Candidate) Decision{s.notPaused, s.hostNetwork, s.jobs, s.helmHooks} {
		if d := policy(c); !d.Inject {
			d.Matched = true
			return d
		}
	}
	return Decision{Inject: true, Matched: true}
}

func (s *Selection) neverInject(c Candidate) Decision {
	for i, never := range s.never {
		for _, set := range s.labelSets(c) {
			if never.Matches(set) {
				return skip(finding.NeverSelector, "its labels match spec.neverInjectSelector[%d] (%s)", i, never)
			}
		}
	}
	return inject
}

func (s *Selection) labelsMatch(c Candidate) Decision {
	sets := s.labelSets(c)
	if slices.ContainsFunc(sets, func(set labels.Set) bool { return s.selector.Matches(set) }) {
		return inject
	}
	const mismatch = "its labels (%s) do not match spec.selector (%s)"
	if s.spec.SelectorScope == v1alpha1.ScopePodTemplate && s.selector.Matches(c.workloadLabels) {
		return skipLoudly(finding.SelectorMismatch, mismatch+", though the workload's own do; label the pod template, or set spec.selectorScope to Any",
			shown(sets[0]), s.selector)
	}
	return skip(finding.SelectorMismatch, mismatch, shown(sets[0]), s.selector)
}

// shown is labels as they stand in a message.
type shown labels.Set

func (s shown) String() string {
	if len(s) == 0 {
		return "none"
	}
	const most = 200
	if text := labels.Set(s).String(); len(text) <= most {
		return text
	}
	return fmt.Sprintf("%d of them", len(s))
}

// labelSets are the labels that selectors look at; where the scope is Any, either may match.
func (s *Selection) labelSets(c Candidate) []labels.Set {
	switch s.spec.SelectorScope {
	case v1alpha1.ScopeWorkload:
		return []labels.Set{c.workloadLabels}
	case v1alpha1.ScopeAny:
		return []labels.Set{c.podLabels, c.workloadLabels}
	default:
		return []labels.Set{c.podLabels}
	}
}

// LabelsOf are the labels that the selector looks at, each as key=value.
func (s *Selection) LabelsOf(c Candidate) map[string]bool {
	all := map[string]bool{}
	for _, set := range s.labelSets(c) {
		for key, value := range set {
			all[key+"="+value] = true
		}
	}
	return all
}

func (s *Selection) nameMatches(c Candidate) Decision {
	matches := func(name *regexp.Regexp) bool { return name.MatchString(c.Object.Name) }
	if len(s.names) == 0 || slices.ContainsFunc(s.names, matches) {
		return inject
	}
	return skip(finding.NameMismatch, "its name matches none of spec.names (%s)", strings.Join(s.spec.Names, ", "))
}

func (s *Selection) ruleMatches(c Candidate) Decision {
	if len(s.spec.Rules) > 0 && !anyRule(s.spec.Rules, c) {
		return skip(finding.RuleMismatch, "spec.rules are for %s, and this is %s", showRules(s.spec.Rules), resource(c))
	}
	initializer := InitializerName(s.name)
	if rules, ok := s.around.Initializers[initializer]; ok && !anyRule(rules, c) {
		return skip(finding.RuleMismatch, "the InitializerConfiguration's rules for %s are for %s, and this is %s", initializer, showRules(rules), resource(c))
	}
	return inject
}

// resource reads as group, version and resource, as rules are written.
func resource(c Candidate) string {
	_, version := podtemplate.SplitVersion(c.Object.APIVersion)
	return fmt.Sprintf("%q/%s/%s", c.Kind.Group, version, c.Kind.Resource)
}

func showRules(rules []v1alpha1.Rule) string {
	if len(rules) == 0 {
		return "nothing"
	}
	shown := make([]string, len(rules))
	for i, r := range rules {
		shown[i] = fmt.Sprintf("%q/%s/%s", strings.Join(r.APIGroups, ","), strings.Join(r.APIVersions, ","), strings.Join(r.Resources, ","))
	}
	return strings.Join(shown, " or ")
}

func anyRule(rules []v1alpha1.Rule, c Candidate) bool {
	group, version := podtemplate.SplitVersion(c.Object.APIVersion)
	return slices.ContainsFunc(rules, func(r v1alpha1.Rule) bool {
		return holds(r.APIGroups, group) && holds(r.APIVersions, version) && holds(r.Resources, c.Kind.Resource)
	})
}

func holds(list []string, value string) bool {
	return slices.Contains(list, "*") || slices.Contains(list, value)
}
