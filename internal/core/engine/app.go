package engine

import (
	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/config/injector"
	pods "pillion.dev/pillion/internal/pods/pod"
)

// variablesOfApp returns what variables of the app's containers refer to: the pod template of the app, so that it makes no
// difference which injectors have run before, and whether in one list or in separate steps.
func (c *change) variablesOfApp() injector.App {
	return injector.App{
		Template:   c.appTemplate(),
		Read:       c.template.Node,
		IsInjected: c.IsNamed,
	}
}

// injectedNames returns the names of the containers that injectors of the run add to this pod. An injector that does
// not select the pod does not count: its names are free for the app.
func (c *change) injectedNames() map[string]bool {
	if c.injected != nil {
		return c.injected
	}
	var selecting []*injector.Injector
	for _, m := range c.workload.run.readyInjectors {
		if !m.removes() && m.selection.Decide(&c.candidate).Inject {
			selecting = append(selecting, m.injector)
		}
	}
	if len(selecting) == len(c.workload.run.injectors) {
		c.injected = c.workload.run.injected
	}
	if c.injected == nil {
		subject := injector.Subject{Object: &c.workload.result.Object, Template: c.template}
		c.injected = injectedNames(selecting, subject, c.hasAppContainer)
	}
	return c.injected
}

// injectedNames returns the names of the containers that injectors add. A container that the app has, and that its
// injector keeps or merges into, stays the app's.
func injectedNames(
	injectors []*injector.Injector, subject injector.Subject, isApps func(name string) bool,
) map[string]bool {
	names := map[string]bool{}
	for _, in := range injectors {
		for _, name := range in.ContainerNames(subject) {
			if !leavesToApp(in) || !isApps(name) {
				names[name] = true
			}
		}
	}
	return names
}

// leavesToApp reports whether an injector leaves a container of its name to an app that has one.
func leavesToApp(in *injector.Injector) bool {
	onConflict := in.Spec.OnConflict.Container
	return onConflict == v1alpha1.ContainerKeep || onConflict == v1alpha1.ContainerMerge
}

// hasAppContainer reports whether the app has a container of a name, according to the stamps.
func (c *change) hasAppContainer(name string) bool {
	app := c.appView()
	isIn := func(list string) bool { return app.At(pods.InSpec(list).Path, name) != nil }
	return isIn(pods.Main) || isIn(pods.Init)
}

// knownPlan returns the plan of an injector for the pod before stamps are undone, so that what is there can be compared
// with its payload. Containers in the stamps are not the app's.
func (p *pod) knownPlan(m *runInjector) *injector.Plan {
	subject := injector.Subject{Object: &p.workload.result.Object, Template: p.template}
	if p.workload.run.refersToApp {
		isStamped := func(name string) bool {
			isIn := func(list string) bool { return p.stampOf(pods.InSpec(list).Path, name) != "" }
			return isIn(pods.Main) || isIn(pods.Init)
		}
		subject.App = func() injector.App {
			return injector.App{
				Template:   p.template.Node,
				Read:       p.template.Node,
				IsStamped:  isStamped,
				IsInjected: isStamped,
			}
		}
	}
	known, _ := p.planFor(m, subject) // addPayload reports errors
	return known
}
