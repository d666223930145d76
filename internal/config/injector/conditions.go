package injector

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
)

// Condition is a condition on a pod template and its workload. An injector is for those that meet all of them.
type Condition struct {
	Kind  ConditionKind
	Field string // of the spec, which declares it; or what it is about, if there is none
	Index int    // of the entry, if the field is a list of conditions

	// The values that it compares with. A kind has at most one of them.
	Selector *metav1.LabelSelector
	Rules    []v1alpha1.Rule
	Names    []string // and globs
	Choice   string   // Skip, or Error, which refuses the pod instead of leaving it alone
	Injects  string   // the choice by which it would hold

	// What is said about a pod that does not meet it, and what people read about it in a plan, if anything.
	// ${...} stands for something that depends on the pod or on the values.
	Code     finding.Code
	Severity finding.Severity
	Why      string
	Words    string

	isSet bool // although it has no values
}

// ConditionKind is what a condition looks at, and how it compares.
type ConditionKind int

// The kinds of conditions. The last ones are policies on pods that the injector is for, see IsPolicy.
const (
	OnNeverSelector     ConditionKind = iota // the labels do not match
	OnNamespaces                             // not every namespace is excluded; in exports, all that the field says
	OnExcluded                               // the namespace is none of these
	OnIncluded                               // the namespace, if it is known, is one of these
	OnNamespaceSelector                      // the labels of the namespace match, as far as they are known
	OnRules                                  // the workload is one of these resources
	OnNames                                  // the name of the workload is one of these
	OnExcludeNames                           // the name of the workload is none of these
	OnSelector                               // the labels match
	OnOptIn                                  // the marker is there, and is for the injector
	OnMarker                                 // the marker, if it is there, is for the injector
	OnCertainLabels                          // those of the namespace are certain
	OnKnownLabels                            // those of the namespace are known
	OnKnownNamespace                         // the namespace is known
	OnPaused                                 // never
	OnContainers                             // the pod has some
	OnHostNetwork                            // the pod does not use it
	OnJobs                                   // the pod is not meant to finish
	OnHelmHooks                              // the workload is none

	ConditionKinds // is how many there are
)

// The reasons that several conditions have.
const (
	unknownNamespace = "it has no metadata.namespace, and the injector is only for some namespaces; set it"
	skips            = ", and spec.${field} is Skip (${injects} injects)"
	refuses          = ", and spec.${field} is Error; set it to Skip or ${injects}, or keep this workload out"
)

// Conditions returns the conditions of the injector, in the order in which they are checked: the first one that does
// not hold is the reason.
func (i *Injector) Conditions() (all []Condition) {
	spec := &i.Spec
	for n := range spec.NeverInjectSelector {
		all = append(all, Condition{
			Kind:     OnNeverSelector,
			Field:    "neverInjectSelector",
			Index:    n,
			Selector: &spec.NeverInjectSelector[n],
			Code:     finding.NeverSelector,
			Why:      "its labels match spec.neverInjectSelector[${index}] (${values})",
			Words:    "the labels ${whose} do not match ${values}",
		})
	}
	isOptIn := spec.Policy == v1alpha1.PolicyDisabled
	lacksNamespace := unknownNamespace
	if !i.IsForeign() {
		lacksNamespace = unknownNamespace + ", or name the namespace to deploy to as spec.defaultNamespace"
	}
	paused := "the injector is paused (spec.paused)"
	if i.IsForeign() {
		paused = "the SidecarSet is paused (spec.injectionStrategy.paused)"
	}
	native := v1alpha1.JobsNative
	if !i.SupportsNative() {
		native = v1alpha1.JobsInject
	}
	for _, c := range [...]Condition{
		{
			Kind:  OnNamespaces,
			Field: "namespaces",
			Names: spec.Namespaces.Exclude,
			isSet: true,
			Code:  finding.NamespaceExcluded,
			Why:   "spec.namespaces.exclude excludes every namespace",
		},
		{
			Kind:  OnExcluded,
			Field: "namespaces",
			Names: spec.Namespaces.Exclude,
			Code:  finding.NamespaceExcluded,
			Why:   "its namespace ${namespace} is in spec.namespaces.exclude (${values})",
		},
		{
			Kind:  OnExcluded,
			Field: "namespaces",
			Names: spec.Namespaces.ReservedNamespaces(),
			Code:  finding.NamespaceExcluded,
			Why: "its namespace ${namespace} is one of Kubernetes' own, which are left alone; " +
				"to include it, ${toInclude}",
		},
		{
			Kind:  OnIncluded,
			Field: "namespaces",
			Names: spec.Namespaces.Include,
			Code:  finding.NamespaceExcluded,
			Why:   "its namespace ${namespace} is not in spec.namespaces.include (${values})",
		},
		{
			Kind:     OnNamespaceSelector,
			Field:    "namespaceSelector",
			Selector: spec.NamespaceSelector,
			Code:     finding.NamespaceExcluded,
			Why:      "the labels of namespace ${namespace} do not match spec.namespaceSelector (${values})",
			Words:    "the labels of the namespace match ${values}",
		},
		{
			Kind:  OnRules,
			Field: "rules",
			Rules: spec.Rules,
			Code:  finding.RuleMismatch,
			Why:   "spec.rules are for ${values}, and this is ${resource}",
			Words: "the workload is one of ${values}",
		},
		{
			Kind:  OnNames,
			Field: "names",
			Names: spec.Names,
			Code:  finding.NameMismatch,
			Why:   "none of spec.names (${values}) matches its name",
			Words: "the name of the workload matches ${values}",
		},
		{
			Kind:  OnExcludeNames,
			Field: "excludeNames",
			Names: spec.ExcludeNames,
			Code:  finding.NameExcluded,
			Why:   "its name is in spec.excludeNames (${values})",
			Words: "the name of the workload does not match ${values}",
		},
		{
			Kind:     OnSelector,
			Field:    "selector",
			Selector: spec.Selector,
			Code:     finding.SelectorMismatch,
			Why:      "its labels (${labels}) do not match spec.selector (${values})",
			Words:    "the labels ${whose} match ${values}",
		},
		{
			Kind:  OnOptIn,
			Field: "policy",
			isSet: isOptIn,
			Code:  finding.NotOptedIn,
			Words: `the marker ${marker} is "true", or names ${injector}`,
		},
		{
			Kind:  OnMarker,
			Field: "marker",
			isSet: !isOptIn,
			Code:  finding.OptedOut,
			Words: `the marker ${marker} is not "false", and does not name only other injectors`,
		},
		// What has to be known is the reason only for workloads that all other conditions select: a pod that opts
		// out is not selected in any namespace.
		{
			Kind:     OnCertainLabels,
			Field:    "namespaceSelector",
			isSet:    isSelective(spec.NamespaceSelector),
			Code:     finding.NamespaceAmbiguous,
			Severity: finding.Error,
			Why:      "${uncertain}",
		},
		{
			Kind:     OnKnownLabels,
			Field:    "namespaceSelector",
			isSet:    isSelective(spec.NamespaceSelector),
			Code:     finding.NamespaceLabelsUnknown,
			Severity: finding.Warning,
			Why: "the labels of namespace ${namespace} are not known; " +
				"add the Namespace to the input, or its labels to spec.namespaceLabels.${namespace}",
		},
		{
			Kind:  OnKnownNamespace,
			Field: "the namespace of the workload",
			isSet: i.RequiresNamespace(),
			Code:  finding.NamespaceUnknown,
			Why:   lacksNamespace,
		},
		// The rest are policies on pods that the injector is for.
		{
			Kind:  OnPaused,
			Field: "paused",
			isSet: i.Paused,
			Code:  finding.Paused,
			Why:   paused,
			Words: "never, because the injector is paused",
		},
		{
			Kind:     OnContainers,
			Field:    "the containers of the pod",
			isSet:    true,
			Code:     finding.NoContainers,
			Severity: finding.Warning,
			Why: "${podSpec} has no containers, so it is probably a patch; inject into the workload that it is for, " +
				"or set partial: true in spec.workloads if an operator adds them",
		},
		{
			Kind:    OnHostNetwork,
			Field:   "hostNetwork",
			Choice:  string(spec.HostNetwork),
			Injects: "Inject",
			Code:    finding.HostNetwork,
			Why:     "${hostNetwork}",
			Words:   "the pod does not use the host's network",
		},
		{
			Kind:    OnJobs,
			Field:   "jobs",
			Choice:  string(spec.Jobs),
			Injects: string(native),
			Code:    finding.JobSkipped,
			Why:     "its pods are meant to finish",
			Words:   "the pod is not meant to finish",
		},
		{
			Kind:    OnHelmHooks,
			Field:   "helmHooks",
			Choice:  string(spec.HelmHooks),
			Injects: "Inject",
			Code:    finding.HelmHook,
			Why:     "it is a Helm hook (${helmHook})",
			Words:   "the workload is no Helm hook",
		},
	} {
		switch c.Choice {
		case "Skip":
			c.isSet = true
			c.Why += skips
		case "Error":
			c.isSet = true
			c.Why += refuses
			c.Severity = finding.Error
		}
		if c.isSet || c.Selector != nil || len(c.Names)+len(c.Rules) > 0 {
			all = append(all, c)
		}
	}
	return all
}

// ConditionsOf returns the conditions of some kinds, in the order of the kinds.
func (i *Injector) ConditionsOf(kinds ...ConditionKind) (all []Condition) {
	for _, kind := range kinds {
		for _, c := range i.Conditions() {
			if c.Kind == kind {
				all = append(all, c)
			}
		}
	}
	return all
}

// Refuses reports whether a pod that does not meet the condition is refused, and not left alone.
func (c Condition) Refuses() bool { return c.Severity == finding.Error }

// IsPolicy reports whether the condition is one on pods that the injector is for.
func (c Condition) IsPolicy() bool { return c.Kind >= OnPaused }

// HasResource reports whether one of the rules has a resource.
func (c Condition) HasResource(group, version, resource string) bool {
	has := func(list []string, value string) bool {
		return slices.Contains(list, "*") || slices.Contains(list, value)
	}
	return slices.ContainsFunc(c.Rules, func(r v1alpha1.Rule) bool {
		return has(r.APIGroups, group) && has(r.APIVersions, version) && has(r.Resources, resource)
	})
}
