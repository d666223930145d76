package engine

import (
	"pillion.dev/pillion/internal/payload"
	"pillion.dev/pillion/internal/resources"
	"pillion.dev/pillion/internal/stamp"
)

// joinedParts returns what an injector joined to variables as its stamp records it.
func joinedParts(env payload.JoinedEnv) []stamp.Joined {
	var all []stamp.Joined
	for v, parts := range env {
		for _, p := range parts {
			all = append(all, stamp.Joined{Variable: stamp.Variable(v.List, v.Container, v.Name), Separator: p.Separator, Part: p.Part})
		}
	}
	return all
}

// joinedByOthers returns what the injectors that are in the pod template already joined to variables of the app.
func (p *pod) joinedByOthers() payload.JoinedEnv {
	var all payload.JoinedEnv
	add := func(s *stamp.Stamp) {
		for _, j := range s.JoinedParts() {
			steps := stamp.Steps(j.Variable.Path)
			variable := payload.EnvVar{List: steps[1], Container: steps[2], Name: j.Variable.Key}
			all.Add(variable, payload.JoinedPart{Part: j.Part, Separator: j.Separator})
		}
	}
	for _, other := range p.otherStamps() {
		add(other)
	}
	return all
}

// otherStamps returns the stamps of the injectors that are in the pod template already.
func (p *pod) otherStamps() []*stamp.Stamp {
	var all []*stamp.Stamp
	for _, other := range p.plan.others {
		all = append(all, other.Stamp)
	}
	for _, earlier := range p.made {
		all = append(all, earlier.stamp)
	}
	return all
}

// grownByOthers returns what these injectors added to the resources of the pod itself.
func (p *pod) grownByOthers() payload.Growth {
	all := payload.Growth{}
	others := p.otherStamps()
	for _, other := range others {
		for _, t := range other.GrownThings() {
			all[payload.PodResource{List: stamp.ThingAt(t.Path).Key, Name: t.Key}], _ = stamp.GrownBy(t, others...)
		}
	}
	return all
}

// grown returns what an injector added to the resources of the pod itself as its stamp records it.
func grown(by payload.Growth) map[stamp.Thing]string {
	all := map[stamp.Thing]string{}
	for r, amount := range by {
		all[stamp.PodResource(r.List, r.Name)] = resources.Format(r.Name, amount)
	}
	return all
}
