// Package patch prints the plans of injectors as strategic merge patches with targets, for kustomize and Flux.
package patch

import (
	"slices"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/injector"
)

// Patches are what injectors become.
type Patches struct {
	injectors []string
	all       []patch // in the order in which they apply
}

// patch is one strategic merge patch.
type patch struct {
	target target
	at     templatePath
	body   *body
}

// New returns the patches of injectors, or an error finding for each field that patches cannot express.
func New(injectors []*injector.Injector) (Patches, []finding.Finding) {
	var findings []finding.Finding
	for _, in := range injectors {
		findings = append(findings, findRefused(in)...)
	}
	if len(findings) > 0 {
		return Patches{}, findings
	}
	var made Patches
	values := valuesByAddress{}
	for _, group := range sameTargets(injectors) {
		added := newBody(values)
		for _, in := range group {
			findings = append(findings, added.addInjector(in)...)
			made.injectors = append(made.injectors, in.Name)
		}
		// What a patch adds comes first in a list, so the patch of the first injectors is the last.
		made.all = append(patchesOf(group[0], added), made.all...)
	}
	if len(findings) > 0 {
		return Patches{}, findings
	}
	return made, nil
}

// sameTargets divides injectors into groups of neighbours that have the same targets. Each group becomes one patch, in
// which its containers keep their order.
func sameTargets(injectors []*injector.Injector) [][]*injector.Injector {
	var groups [][]*injector.Injector
	for _, in := range injectors {
		last := len(groups) - 1
		if last >= 0 && slices.Equal(targetsOf(groups[last][0]), targetsOf(in)) {
			groups[last] = append(groups[last], in)
		} else {
			groups = append(groups, []*injector.Injector{in})
		}
	}
	return groups
}

// patchesOf returns the patches for the targets of an injector.
func patchesOf(in *injector.Injector, added *body) (all []patch) {
	for i, target := range targetsOf(in) {
		if target.kind != "" {
			all = append(all, patch{target, templatePaths[i], added})
		}
	}
	return all
}
