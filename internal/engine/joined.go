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

// addInside notes what an injector joined to variables of the app, and which resources of the pod itself it added something to.
func (o *owners) addInside(s *stamp.Stamp) {
	for _, j := range s.JoinedParts() {
		steps := stamp.Steps(j.Variable.Path)
		variable := payload.EnvVar{List: steps[1], Container: steps[2], Name: j.Variable.Key}
		o.joined.Add(variable, payload.JoinedPart{Part: j.Part, Separator: j.Separator})
	}
	for _, t := range s.GrownThings() {
		if o.grown == nil {
			o.grown = map[payload.PodResource]bool{}
		}
		o.grown[payload.PodResource{List: stamp.ThingAt(t.Path).Key, Name: t.Key}] = true
	}
}

// grown returns what an injector added to the resources of the pod itself as its stamp records it.
func grown(by payload.Growth) map[stamp.Thing]string {
	all := map[stamp.Thing]string{}
	for r, amount := range by {
		all[stamp.PodResource(r.List, r.Name)] = resources.Format(r.Name, amount)
	}
	return all
}
