package engine

import (
	"pillion.dev/pillion/internal/apply"
	"pillion.dev/pillion/internal/resources"
	"pillion.dev/pillion/internal/stamp"
)

// joinedParts returns what an injector joined to variables as its stamp records it.
func joinedParts(env apply.JoinedEnv) []stamp.Joined {
	var all []stamp.Joined
	for v, parts := range env {
		for _, p := range parts {
			all = append(all, stamp.Joined{Variable: stamp.Variable(v.List, v.Container, v.Name), Separator: p.Separator, Part: p.Part})
		}
	}
	return all
}

// joinedByOthers returns what the injectors that are in the pod template already joined to variables of the app.
func (p *pod) joinedByOthers() apply.JoinedEnv {
	var all apply.JoinedEnv
	for _, other := range p.owners().all {
		for _, j := range other.stamp.JoinedParts() {
			steps := stamp.Steps(j.Variable.Path)
			variable := apply.EnvVar{List: steps[1], Container: steps[2], Name: j.Variable.Key}
			all.Add(variable, apply.JoinedPart{Part: j.Part, Separator: j.Separator})
		}
	}
	return all
}

// grownByOthers returns the resources of the pod itself that these injectors added something to.
func (p *pod) grownByOthers() map[apply.PodResource]bool {
	all := map[apply.PodResource]bool{}
	for _, other := range p.owners().all {
		for _, t := range other.stamp.GrownThings() {
			all[apply.PodResource{List: stamp.ThingAt(t.Path).Key, Name: t.Key}] = true
		}
	}
	return all
}

// grown returns what an injector added to the resources of the pod itself as its stamp records it.
func grown(by apply.Growth) map[stamp.Thing]string {
	all := map[stamp.Thing]string{}
	for r, amount := range by {
		all[stamp.PodResource(r.List, r.Name)] = resources.Format(r.Name, amount)
	}
	return all
}
