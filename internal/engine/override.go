package engine

import (
	"slices"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/payload"
	"pillion.dev/pillion/internal/podtemplate"
	"pillion.dev/pillion/internal/stamp"
)

// What an injector wants and the app already has is in no stamp. So if another injector replaces it, the stamps of the two do
// not show the conflict. It shows when the first is applied to what the other has done, because that changes it.

// overrides reports what an injector has changed of what others did before it, or would have changed if it was refused. Did is
// nil if it was.
func (p *pod) overrides(m *member, others []wish, before podtemplate.Template, applied *payload.Pod, did *stamp.Stamp) []finding.Finding {
	after := applied.Node
	switch {
	case did == nil:
		after = p.insist(m, before, before)
	case !did.Replaces() && !slices.ContainsFunc(others, func(theirs wish) bool { return theirs.stamp.Replaces() }):
		return nil
	}
	var all []finding.Finding
	was, is := stamp.NewView(before.Node), stamp.NewView(after)
	for _, theirs := range others {
		all = append(all, p.overridden(theirs, m, was, is)...)
	}
	return all
}

// reportOverridden reports what an injector wants and a later one of the run has replaced.
func (p *pod) reportOverridden() {
	if p.work.failed || len(p.made) < 2 || !slices.ContainsFunc(p.made[1:], made.mayOverride) {
		return
	}
	result := p.version()
	was := stamp.NewView(result.Node)
	for i, earlier := range p.made[:len(p.made)-1] {
		is := stamp.NewView(p.insist(earlier.by, result, earlier.seen))
		for _, later := range p.made[i+1:] {
			p.reportAll(later.by, p.overridden(later.wish(), earlier.by, was, is))
		}
	}
}

// mayOverride reports whether an injector may have changed what an earlier one wants. One that merges JSON may have added a key that the
// earlier one removes.
func (m made) mayOverride() bool { return m.stamp.Replaces() || m.by.injector.MergesJSON() }

// overridden reports what one injector did and another changes, given the pod template before and after that.
func (p *pod) overridden(theirs wish, by *member, was, is *stamp.View) []finding.Finding {
	var all []finding.Finding
	for _, at := range theirs.stamp.Changed(was, is) {
		all = append(all, p.conflict(theirs, wantDifferently(theirs.injector, by.injector.Name, at)))
	}
	return all
}

// insist returns a version of the pod template as it is after an injector that replaces what would be a conflict. If the
// injector is refused for another reason, that is the version itself.
func (p *pod) insist(m *member, version, seen podtemplate.Template) *yaml.Node {
	in, findings := m.injector.For(p.subject(seen))
	if finding.HasError(findings) {
		return version.Node
	}
	applied, findings := p.add(replacing(in), version.Copy())
	if finding.HasError(findings) {
		return version.Node
	}
	return applied.Node
}

// replacing returns an injector that replaces what is there and different, if the original reports an error.
func replacing(in *injector.Injector) *injector.Injector {
	copied := *in
	on := &copied.Spec.OnConflict
	if on.Container == v1alpha1.ContainerError {
		on.Container = v1alpha1.ContainerReplace
	}
	for _, choice := range []*v1alpha1.Conflict{&on.Volume, &on.Env, &on.MountPath} {
		if *choice == v1alpha1.ConflictError {
			*choice = v1alpha1.ConflictReplace
		}
	}
	return &copied
}
