package injector

import "pillion.dev/pillion/finding"

// Together checks injectors of several configs as one list of them is checked: each has a name
// of its own, and none undoes what another goes by. Each finding names its injector.
func Together(injectors []*Injector) []finding.Finding {
	p := &problems{}
	if len(injectors) > maxInjectors {
		p.refusef("", "", "there are %d injectors; the most is %d, so split them over several runs", len(injectors), maxInjectors)
		return p.all()
	}
	seen := map[string]bool{}
	declarations := make([]declaration, len(injectors))
	for i, in := range injectors {
		if p.injector = in.Name; seen[in.Name] {
			p.refusef(in.declared.nameAt, in.Name, "another config has this name already; an injector's name is its identity, so give each its own")
		}
		seen[in.Name], declarations[i] = true, in.declared
	}
	p.checkTogether(declarations)
	return p.all()
}
