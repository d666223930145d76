package check

import (
	"strconv"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/podtemplate"
	"pillion.dev/pillion/internal/yaml/node"
)

// names are one space over all containers, and one over volumes and claims.
func (p *pod) names() {
	var containers, volumes names
	for _, ephemeral := range node.List(p.Spec(), "ephemeralContainers") {
		containers.add(node.Text(ephemeral, "name"))
	}
	for _, c := range p.containers {
		if _, again := containers.add(c.name); again {
			p.wrong(finding.ContainerConflict, c.name, p.path(c, "name"), "two containers are called %q; rename one of them", c.name)
		}
	}
	for i, volume := range p.volumes {
		name := node.Text(volume, "name")
		if _, again := volumes.add(name); again {
			p.wrong(finding.VolumeConflict, name, p.volumePath(i)+".name", "two volumes are called %q; rename one of them", name)
		}
	}
}

func (p *pod) volumePath(i int) string { return p.At("spec.volumes[" + strconv.Itoa(i) + "]") }

// ports of containers that run beside each other are one space: a pod has one network. One
// container may say a number twice, as Kubernetes lets it, but no name.
func (p *pod) ports() {
	var numbers, named names
	var numberOwners, nameOwners []string // by the place of a number, and of a name
	for _, c := range p.containers {
		if !c.runs {
			continue
		}
		for i, port := range node.List(c.Node, "ports") {
			number, name := podtemplate.PortKey(port), node.Text(port, "name")
			switch first, taken := numbers.add(number); {
			case !taken:
				numberOwners = append(numberOwners, c.name)
			case numberOwners[first] != c.name:
				p.wrong(finding.PortConflict, number+" "+c.name, p.path(c, "ports["+strconv.Itoa(i)+"]"),
					"port %s of container %q is container %q's, too; change one of them", number, c.name, numberOwners[first])
			}
			if name == "" {
				continue
			}
			if first, taken := named.add(name); taken {
				p.wrong(finding.PortConflict, name+" "+c.name, p.path(c, "ports["+strconv.Itoa(i)+"].name"),
					"port name %q of container %q is used by container %q already; rename one of them", name, c.name, nameOwners[first])
				continue
			}
			nameOwners = append(nameOwners, c.name)
		}
	}
}

// env names come once: of two, Kubernetes takes the last without a word.
func (p *pod) env(c container) {
	var set names
	for i, variable := range node.List(c.Node, "env") {
		name := node.Text(variable, "name")
		if _, again := set.add(name); again {
			p.wrong(finding.EnvConflict, c.name+" "+name, p.path(c, "env["+strconv.Itoa(i)+"].name"),
				"container %q sets the env variable %q twice; Kubernetes takes the last one, so remove one of them", c.name, name)
		}
	}
}
