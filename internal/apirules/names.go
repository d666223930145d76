package apirules

import (
	"fmt"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/yaml/node"
)

// names reports containers of one name, over all lists, and volumes of one name.
func (p *pod) names() {
	var containers nameSet
	for _, ephemeral := range node.List(p.Spec(), "ephemeralContainers") {
		containers.add(node.Text(ephemeral, "name"))
	}
	for _, c := range p.containers {
		if _, again := containers.add(c.name); again {
			p.add(finding.ContainerConflict, c.name, p.path(c, "name"),
				fmt.Sprintf("two containers are called %q; rename one of them", c.name))
		}
	}
	for _, i := range repeats(p.volumes, "name") {
		name := node.Text(p.volumes[i], "name")
		p.add(finding.VolumeConflict, name, p.At("spec."+entry("volumes", i)+".name"),
			fmt.Sprintf("two volumes are called %q; rename one of them", name))
	}
}

// env reports variables that a container sets twice: Kubernetes takes the last one without a warning.
func (p *pod) env(c container) {
	variables := node.List(c.Node, "env")
	for _, i := range repeats(variables, "name") {
		name := node.Text(variables[i], "name")
		p.report(c, finding.EnvConflict, name, entry("env", i)+".name",
			"sets the env variable %q twice; Kubernetes takes the last one, so remove one of them", name)
	}
}
