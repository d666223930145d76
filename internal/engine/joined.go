package engine

import (
	"pillion.dev/pillion/internal/payload"
	"pillion.dev/pillion/internal/stamp"
)

// joinedParts returns what an injector joined to variables as its stamp records it.
func joinedParts(parts []payload.JoinedEnv) []stamp.Joined {
	all := make([]stamp.Joined, len(parts))
	for i, p := range parts {
		all[i] = stamp.Joined{Variable: stamp.Variable(p.List, p.Container, p.Variable), Separator: p.Separator, Part: p.Part}
	}
	return all
}

// joinedByOthers returns what the injectors that are in the pod template already joined to variables of the app.
func (p *pod) joinedByOthers() []payload.JoinedEnv {
	var all []payload.JoinedEnv
	add := func(s *stamp.Stamp) {
		for _, j := range s.JoinedParts() {
			steps := stamp.Steps(j.Variable.Path)
			all = append(all, payload.JoinedEnv{
				List: steps[1], Container: steps[2], Variable: j.Variable.Key, Separator: j.Separator, Part: j.Part,
			})
		}
	}
	for _, other := range p.plan.others {
		add(other.Stamp)
	}
	for _, earlier := range p.made {
		add(earlier.stamp)
	}
	return all
}
