// Package export turns injectors into kustomize patches, for pipelines that run no functions, such as Flux's.
//
// In a kustomization that contains nothing else, the patches create the same pods as Pillion, or stop the build; they never
// create a pod that is only similar. Whatever patches cannot express is reported before any patch is created.
package export

import (
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/injector"
)

// Options are the choices of the user who exports.
type Options struct {
	// WithoutChecks exports an injector although patches leave out some of its checks.
	WithoutChecks bool
}

// Export is what one or more injectors do, as patches.
type Export struct {
	// Injectors are the names of the injectors.
	Injectors []string
	// Patches are in the order in which they apply.
	Patches []Patch
	// Unchecked are the fields that Pillion checks and patches do not, each with the reason.
	Unchecked []string
}

// New creates the patches of injectors. If patches cannot express all of them, it returns an error finding for each field
// that prevents it, and no patches.
func New(injectors []*injector.Injector, options Options) (Export, []finding.Finding) {
	var result Export
	var findings []finding.Finding
	var leading []Patch
	entries := entryOwners{}
	several := severalLead(injectors)
	for _, in := range injectors {
		s := newScope(in)
		unchecked := findUnchecked(in, s)
		limits := append(findUnsupported(in, s), entries.add(in)...)
		if !options.WithoutChecks {
			for _, l := range unchecked {
				limits = append(limits, limit{l.field, l.reason + "; use --without-checks if a pipeline runs Pillion on the same manifests"})
			}
		}
		findings = append(findings, limitFindings(in, limits)...)
		if len(findings) > 0 {
			continue // the patches of an injector with limits may be too many to create
		}
		literal, invalid := in.Unescaped()
		findings = append(findings, invalid...)
		patches, inFront := newPatches(literal, s, several)
		leading = append(inFront, leading...)
		result.Patches = append(result.Patches, patches...)
		result.Injectors = append(result.Injectors, in.Name)
		for _, l := range unchecked {
			result.Unchecked = append(result.Unchecked, l.field+" of "+in.Name+": "+l.reason)
		}
	}
	if len(findings) > 0 {
		return Export{}, findings
	}
	result.Patches = append(result.Patches, leading...)
	return result, nil
}

// severalLead reports whether more than one injector puts init containers in front of the app's. A patch puts them at the
// very front, so the patches of the first injector must then apply last.
func severalLead(injectors []*injector.Injector) bool {
	count := 0
	for _, in := range injectors {
		if len(newPayload(in).leading) > 0 {
			count++
		}
	}
	return count > 1
}

// newPatches creates the patches of one injector, starting with those that stop the build. If separate is set, the patches
// for init containers in front of the app's are returned on their own.
func newPatches(in *injector.Injector, s scope, separate bool) (patches, leading []Patch) {
	patches = s.refusals()
	for _, name := range s.workloadNames() {
		for _, l := range s.locations() {
			target := s.target(l.kinds, []string{name.Namespace}, []string{name.Name})
			p := newPayload(in)
			if separate && len(p.leading) > 0 {
				leading = append(leading, l.patches(p.onlyLeading(), target, name)...)
				p.leading = nil
			}
			patches = append(patches, l.patches(p, target, name)...)
		}
	}
	return patches, leading
}

func limitFindings(in *injector.Injector, limits []limit) []finding.Finding {
	findings := make([]finding.Finding, len(limits))
	for i, l := range limits {
		findings[i] = finding.Finding{
			Severity: finding.Error, Code: finding.NotExportable, Injector: in.Name,
			Field: &finding.Field{Path: l.field}, Message: l.field + ": " + l.reason,
		}
	}
	return findings
}
