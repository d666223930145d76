package apply

import (
	"pillion.dev/pillion/finding"
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
func keepDefaultContainer(pod *Pod) []finding.Finding {
	t := pod.metadataAt(annotations, defaultContainer)
	isNamed := node.IsString(t.app) && t.app.Value != ""
	if isNamed || node.Text(pod.Node, "metadata", annotations, defaultLogsContainer) != "" {
		return nil
	}
	for i, container := range pod.entries(containers) {
		name := node.Text(container, "name")
		if name == "" || !pod.isAppContainer(name) {
			continue
		}
		if i == 0 || !pod.hasSidecarInFront() {
			break
		}
		value := node.String(name)
		pod.wishes.add(t.at, value)
		return pod.writeMetadata(t, value)
	}
	return nil
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
