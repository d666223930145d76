package apirules

import (
	"fmt"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/yaml/node"
)

// names reports containers of one name, over all lists, and volumes of one name.
func (p *checkedPod) names() {
	var containers nameSet
	containers.addNames(node.List(p.Spec(), "ephemeralContainers"))
	for _, c := range p.containers {
		if containers.add(c.name) {
			p.add(finding.ContainerConflict, c.name, p.path(c, "name"),
				fmt.Sprintf("two containers are called %q; rename one of them", c.name))
		}
	}
	for i, name := range repeats(p.volumes, "name") {
		p.add(finding.VolumeConflict, name, p.At("spec."+entry("volumes", i)+".name"),
			fmt.Sprintf("two volumes are called %q; rename one of them", name))
	}
}

// env reports variables that a container sets twice: Kubernetes takes the last one without a warning.
func (p *checkedPod) env(c container) {
	variables := node.List(c.Node, "env")
	for i, name := range repeats(variables, "name") {
		p.report(c, finding.EnvConflict, name, entry("env", i)+".name",
			"sets the env variable %q twice; Kubernetes takes the last one, so remove one of them", name)
	}
}
