package transformers

import (
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/yaml/node"
)

// The annotations by which kubectl knows which container logs and exec are for; the second is
// the older name.
const (
	defaultContainer     = "kubectl.kubernetes.io/default-container"
	defaultLogsContainer = "kubectl.kubernetes.io/default-logs-container"
)

// keepDefaultContainer keeps the app's first container the one that kubectl takes by default, where
// a sidecar was put in front of it and the pod does not say.
func keepDefaultContainer(pod *Pod, in *injector.Injector) []finding.Finding {
	if node.Text(pod.Node, "metadata", annotations, defaultContainer) != "" ||
		node.Text(pod.Node, "metadata", annotations, defaultLogsContainer) != "" {
		return nil
	}
	for i, container := range pod.entries(containers) {
		name := node.Text(container, "name")
		if name == "" || !pod.isApps(name) {
			continue
		}
		if i == 0 || !pod.overtakes() {
			break
		}
		return pod.setMetadata(annotations, defaultContainer, node.String(name))
	}
	return nil
}

// overtakes tells whether a container of the injector's went in front of the app's first. What other injectors have put
// there does not count: they may come and go.
func (p *Pod) overtakes() bool {
	for _, container := range p.entries(containers) {
		name := node.Text(container, "name")
		if inserted := p.inserted[name]; inserted || !p.isPut(containers, name) {
			return inserted
		}
	}
	return false
}
