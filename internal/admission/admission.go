// Package admission turns injectors into admission policies that the API server runs itself: a MutatingAdmissionPolicy that injects
// what they declare into pods, and a ValidatingAdmissionPolicy that refuses pods that lack it or that Pillion would refuse.
//
// A policy does what Pillion does to the manifest of the same pod, or is not created: whatever CEL cannot express is reported before
// anything is written.
package admission

import (
	"slices"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/injector"
)

// Options are the choices of the user who exports.
type Options struct {
	// Minor is the minor version of Kubernetes 1 that the policies are for.
	Minor int
	// Mutate and Validate choose the policies.
	Mutate, Validate bool
	// Actions are the validationActions of the binding: Deny, Warn, Audit.
	Actions []string
	// FailurePolicy is Fail or Ignore.
	FailurePolicy string
	// Program is the version of Pillion, and Digest identifies the config. Both are labels of the policies.
	Program, Digest string
}

// Policies are the policies of one or more injectors.
type Policies struct {
	mutating, validating *policy // nil if they are not wanted
	options              Options
	injectors            []string
	markers              []string // of the injectors, without repetitions
	everywhere           []string // the injectors that select all pods
}

// New creates the policies of injectors. If policies cannot express all of them, it returns an error finding for each field that
// prevents it, and no policies.
func New(injectors []*injector.Injector, options Options) (Policies, []finding.Finding) {
	if len(injectors) == 0 { // which is an error of the config
		return Policies{options: options}, nil
	}
	if findings := findUnsupported(injectors, options); len(findings) > 0 {
		return Policies{}, findings
	}
	result := Policies{options: options}
	for _, in := range injectors {
		result.injectors = append(result.injectors, in.Name)
		if !slices.Contains(result.markers, in.Spec.Marker) {
			result.markers = append(result.markers, in.Spec.Marker)
		}
		if selectsAll(&in.Spec) {
			result.everywhere = append(result.everywhere, in.Name)
		}
	}
	if options.Mutate {
		result.mutating = newCompiler(injectors, options).mutating().laidOut()
	}
	if options.Validate {
		result.validating = newCompiler(injectors, options).validating().laidOut()
	}
	if findings := result.checkEmpty(injectors); len(findings) > 0 {
		return Policies{}, findings
	}
	return result, result.checkLengths()
}

// checkEmpty returns an error finding for each injector if a policy would be empty, which the API server refuses.
func (p Policies) checkEmpty(injectors []*injector.Injector) []finding.Finding {
	var reason string
	switch {
	case p.mutating != nil && len(p.mutating.operations) == 0:
		reason = "there is nothing to add to a pod, because everything is null or empty; give it a value, or remove the injector"
	case p.validating != nil && len(p.validating.validations) == 0:
		reason = "the API server does not keep values that are empty, 0 or false, so a validating policy has nothing to check; " +
			"export with --only mutate"
	default:
		return nil
	}
	var findings []finding.Finding
	for _, in := range injectors {
		l := limits{in: in}
		field := "podSpec"
		if in.PodSpec == nil {
			field = "patchPodMetadata"
		}
		l.add(field, "%s", reason)
		findings = append(findings, l.findings...)
	}
	return findings
}
