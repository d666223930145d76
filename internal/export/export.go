// Package export says in kustomize's own terms what an injector does, for those who run no
// functions: as patches with targets, which a kustomization and Flux apply by themselves.
//
// In a kustomization with nothing beside them the patches give the pod that Pillion gives, or
// they stop the build; they never give a pod that is nearly the same. What patches cannot say is
// found here, before there are any.
package export

import (
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/injector"
)

// Options are what the person who exports has decided.
type Options struct {
	// WithoutChecks exports an injector although patches do not look for what it would refuse.
	WithoutChecks bool
}

// Export is injectors as patches, in the order in which they apply.
type Export struct {
	// Injectors are the names of those that were exported.
	Injectors []string
	// Patches do what the injectors do.
	Patches []Patch
	// Unchecked are the fields behind which Pillion looks at the pod before it injects, and
	// patches do not.
	Unchecked []string
}

// Of makes patches of injectors. Where anything cannot be said in patches there are none, and
// an error for each field that stands in the way.
func Of(injectors []*injector.Injector, options Options) (Export, []finding.Finding) {
	var made Export
	var found []finding.Finding
	taken := claims{}
	var inFront []Patch
	severalLead := leading(injectors) > 1
	for _, in := range injectors {
		s := scopeOf(in)
		unsaid := append(unsayable(in, s), taken.by(in)...)
		unchecked := uncheckable(in, s)
		if !options.WithoutChecks {
			unsaid = append(unsaid, withRemedy(unchecked)...)
		}
		found = append(found, findings(in, unsaid)...)
		if len(found) > 0 {
			continue // what cannot be said may be too much to write, too
		}
		literal, wrong := in.Unescaped()
		if len(wrong) > 0 {
			found = append(found, wrong...)
			continue
		}
		made.Injectors = append(made.Injectors, in.Name)
		if !severalLead {
			made.Patches = append(made.Patches, patchesOf(literal, s, whole)...)
		} else {
			made.Patches = append(made.Patches, patchesOf(literal, s, withoutFirst)...)
			inFront = append(patchesOf(literal, s, firstAlone), inFront...)
		}
		for _, g := range unchecked {
			made.Unchecked = append(made.Unchecked, g.field+" of "+in.Name+": "+g.reason)
		}
	}
	if len(found) > 0 {
		return Export{}, found
	}
	made.Patches = append(made.Patches, inFront...)
	return made, nil
}

// leading is how many injectors put init containers in front of the app's. A patch puts them to the very front, so
// that where there are several, the first injector's are put there last.
func leading(injectors []*injector.Injector) int {
	count := 0
	for _, in := range injectors {
		if len(payloadOf(in, true, whole).first) > 0 {
			count++
		}
	}
	return count
}

// patchesOf is one injector, or a part of it: first what stops the build, so that nothing was done by then.
func patchesOf(in *injector.Injector, s scope, what part) []Patch {
	var patches []Patch
	if what != firstAlone {
		patches = s.refusals()
	}
	for _, where := range s.places() {
		for _, site := range s.sites(in) {
			target := s.target(site.kinds, []string{where.namespace}, []string{where.name})
			patches = append(patches, site.patches(in, target, where, what)...)
		}
	}
	return patches
}

// gap is a field that patches cannot say, or not look behind, and why.
type gap struct{ field, reason string }

func findings(in *injector.Injector, gaps []gap) []finding.Finding {
	found := make([]finding.Finding, len(gaps))
	for i, g := range gaps {
		found[i] = finding.Finding{
			Severity: finding.Error, Code: finding.NotExportable, Injector: in.Name,
			Field: &finding.Field{Path: g.field}, Message: g.field + ": " + g.reason,
		}
	}
	return found
}

// withRemedy tells how to export what is not checked.
func withRemedy(gaps []gap) []gap {
	told := make([]gap, len(gaps))
	for i, g := range gaps {
		told[i] = gap{g.field, g.reason + "; export it --without-checks where a pipeline runs Pillion on the same manifests"}
	}
	return told
}
