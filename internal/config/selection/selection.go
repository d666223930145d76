// Package selection decides whether an injector is for a pod template, and why not.
package selection

import (
	"k8s.io/apimachinery/pkg/labels"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/injector"
	"pillion.dev/pillion/internal/text/glob"
	"pillion.dev/pillion/internal/text/yaml/node"
	"pillion.dev/pillion/internal/work/meter"
)

// Selection decides for one injector.
type Selection struct {
	injector     *injector.Injector
	annotation   string // the one of the classic Initializer
	spec         *v1alpha1.SidecarInjectorSpec
	surroundings Surroundings

	namespaceSelector labels.Selector       // nil if there is none
	declared          map[string]labels.Set // the labels of namespaces in the config
	uncertain         map[string]string     // namespaces whose labels are not certain, with the reason

	checks []check // in order
	size   int     // how many values they compare
	globs  int     // how many bytes the globs for names have

	onWorkload, onMisplaced, onBroken Decision // if the selector does not match

	dependsOnNamespace bool
}

// New prepares the selection of an injector. The injector was validated when it was read, so an error is a defect.
func New(in *injector.Injector, surroundings Surroundings) (*Selection, error) {
	s := &Selection{
		injector:           in,
		annotation:         initializerPrefix + in.Name,
		spec:               &in.Spec,
		surroundings:       surroundings,
		declared:           map[string]labels.Set{},
		dependsOnNamespace: in.DependsOnNamespace(),
	}
	for name, set := range in.Spec.NamespaceLabels {
		s.declared[name] = withName(set, name)
	}
	conditions := in.Conditions()
	s.checks = make([]check, 0, len(conditions))
	for i := range conditions {
		if err := s.add(&conditions[i]); err != nil {
			return nil, err
		}
	}
	s.countValues()
	return s, nil
}

// Steps returns the steps that a decision about a workload of that name takes in the worst case, for the meter of a
// run.
func (s *Selection) Steps(name string) int {
	return meter.PerDecision + s.size*meter.PerValue + s.globs*(len(name)+1)
}

// countValues counts what the conditions compare with the values of a workload.
func (s *Selection) countValues() {
	for i := range s.checks {
		c := &s.checks[i]
		switch c.Kind {
		case injector.OnNamespaces, injector.OnIncluded:
			s.size += len(c.Names)
		case injector.OnRules:
			s.size += len(c.Rules)
		case injector.OnNeverSelector, injector.OnNamespaceSelector, injector.OnSelector:
			requirements, _ := c.selector.Requirements()
			for _, requirement := range requirements {
				s.size += 1 + len(requirement.ValuesUnsorted())
			}
		case injector.OnNames, injector.OnExcludeNames:
			for _, name := range c.Names {
				if glob.HasWildcard(name) {
					s.globs += len(name)
				}
			}
		}
	}
}

// Decide checks all conditions in turn. The first one that does not hold is the reason.
func (s *Selection) Decide(c *Candidate) *Decision {
	if c.Kind.IsRelease && s.spec.HelmReleases != v1alpha1.ReleasesPatch {
		return unpatched
	}
	namespace := s.namespaceOf(c)
	for i := range s.checks {
		check := &s.checks[i]
		if c.Kind.IsRelease && check.isInPatch() {
			continue
		}
		d := check.decide(c, namespace)
		if d == nil {
			continue
		}
		if c.isHidden && d.Code != finding.OptedOut {
			return encrypted
		}
		return d
	}
	return selected
}

// MayMean reports whether the injector may be for pods that are made elsewhere from an object with that metadata, in a
// namespace that may be empty if it is not known: neither the namespace nor the marker of the object keeps it out.
func (s *Selection) MayMean(namespace string, metadata *node.Node) bool {
	if found := s.markerOn(metadata); found.intent == optOut && s.meantBy(found.value) == "" {
		return false
	}
	of := &Candidate{Object: &finding.Object{Namespace: namespace}}
	for i := range s.checks {
		check := &s.checks[i]
		isAboutNamespace := check.Kind == injector.OnNamespaces || check.Kind == injector.OnExcluded ||
			check.Kind == injector.OnIncluded
		if isAboutNamespace && namespace != "" && check.decide(of, namespace) != nil {
			return false
		}
	}
	return true
}

// LacksNamespace reports whether a decision depends on the namespace of a workload, which is not known.
func (s *Selection) LacksNamespace(c *Candidate, d *Decision) bool {
	return s.dependsOnNamespace && s.namespaceOf(c) == "" &&
		(d.Inject || d.Code == finding.NamespaceUnknown)
}
