package apply

import (
	"pillion.dev/pillion/internal/plan"
	"pillion.dev/pillion/internal/yaml/node"
)

// The annotations that tell kubectl which container logs and exec are for; the second is the older name.
const (
	defaultContainer     = plan.DefaultContainer
	defaultLogsContainer = "kubectl.kubernetes.io/default-logs-container"
)

// keepDefaultContainer names the app's first container as the default of kubectl if a sidecar was put in front of it and the
// pod names none.
func (p *Pod) keepDefaultContainer() {
	t := p.metadataAt(annotations, defaultContainer)
	isNamed := node.IsString(t.app) && t.app.Value != ""
	if isNamed || node.Text(p.Node, "metadata", annotations, defaultLogsContainer) != "" {
		return
	}
	for i, container := range p.entries(containers) {
		name := node.Text(container, "name")
		if name == "" || !p.isAppContainer(name) {
			continue
		}
		if i == 0 || !p.hasSidecarInFront() {
			break
		}
		value := node.String(name)
		p.intents.add(t.at, value)
		p.writeMetadata(t, value)
		return
	}
}

// hasSidecarInFront reports whether a container of this injector is in front of the app's first, also if it shares the container with
// another injector. Those of other injectors do not count, and neither do those next to them: they may come and go.
func (p *Pod) hasSidecarInFront() bool {
	for _, container := range p.entries(containers) {
		name := node.Text(container, "name")
		_, isBeside := p.Placed.Beside[thingIn(containers, name)]
		if isApps, isMine := !p.isInjected(containers, name), p.plan.Has(name); isApps || isMine && !isBeside {
			return !isApps
		}
	}
	return false
}
