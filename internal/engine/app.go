package engine

import (
	"slices"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/injector"
	plans "pillion.dev/pillion/internal/plan"
	pods "pillion.dev/pillion/internal/pod"
	"pillion.dev/pillion/internal/stamp"
	"pillion.dev/pillion/internal/yaml/node"
)

// app returns what variables of the app's containers refer to: the pristine pod template, so that it makes no difference which
// injectors have run before, and whether in one list or in separate steps.
func (p *pod) app() injector.App {
	injected := p.injectedNames()
	return injector.App{
		Template:    p.pristine(),
		Read:        p.template.Node,
		IsUnstamped: func(name string) bool { return injected[name] },
		IsInjected:  podOwners{p}.IsNamed,
	}
}

// injectedNames returns the names of the containers that the run's injectors add, and whether what they add may be there without a
// stamp. If one injector leaves no stamp, that counts for all of them: its annotation for kubectl depends on their names as well.
func (p *pod) injectedNames() map[string]bool {
	if p.injected != nil {
		return p.injected
	}
	p.injected = map[string]bool{}
	subject := injector.Subject{Object: &p.work.result.Object, Template: p.template}
	isUnstamped := slices.ContainsFunc(p.work.run.injectors, func(in *injector.Injector) bool {
		return in.Spec.Stamp == v1alpha1.StampNone
	})
	for _, in := range p.work.run.injectors {
		for _, name := range in.ContainerNames(subject) {
			p.injected[name] = isUnstamped
		}
	}
	return p.injected
}

// knownPlan returns the plan of an injector for the pod before stamps are undone, so that what is there can be compared with its payload.
// Containers in the stamps are not the app's.
func (p *pod) knownPlan(m *runInjector) *plans.Plan {
	subject := injector.Subject{Object: &p.work.result.Object, Template: p.template}
	if p.work.run.refersToApp {
		subject.App = func() injector.App {
			return injector.App{Template: withoutStamped(p.template.Node, p.stamps.stamps), Read: p.template.Node}
		}
	}
	known, _ := p.planFor(m, subject) // transform reports errors
	return known
}

// withoutStamped returns a pod template for reading, without the containers that are in stamps.
func withoutStamped(template *yaml.Node, stamps map[string]*stamp.Stamp) *yaml.Node {
	spec := node.Clone(node.Get(template, "spec"))
	for _, list := range pods.ContainerLists {
		if all := node.List(spec, list); len(all) > 0 {
			node.Set(spec, list, node.Sequence(slices.DeleteFunc(slices.Clone(all), func(container *yaml.Node) bool {
				for _, s := range stamps {
					if s.Adds(pods.InSpec(list).Path, node.Text(container, "name")) {
						return true
					}
				}
				return false
			})...))
		}
	}
	without := node.Mapping(node.String("spec"), spec)
	if metadata := node.Get(template, "metadata"); metadata != nil {
		node.Set(without, "metadata", metadata)
	}
	return without
}
