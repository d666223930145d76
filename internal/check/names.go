package check

import (
	"strconv"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/finding"
	"pillion.dev/pillion/internal/node"
)

// names are one space over containers and init containers, and one over volumes and claims.
func (p *pod) names() {
	first := make(map[string]string, len(p.containers))
	for _, c := range p.containers {
		if at, again := first[c.name]; again {
			p.wrong(finding.ContainerConflict, c.name, c.path+".name", "two containers are called %q, the other at %s; rename one of them", c.name, at)
			continue
		}
		first[c.name] = c.path
	}
	volumes := make(map[string]bool, len(p.volumes))
	for i, volume := range p.volumes {
		name := node.Text(volume, "name")
		if volumes[name] {
			p.wrong(finding.VolumeConflict, name, p.volumePath(i)+".name", "two volumes are called %q; rename one of them", name)
		}
		volumes[name] = true
	}
}

func (p *pod) volumePath(i int) string { return p.At("spec.volumes[" + strconv.Itoa(i) + "]") }

// ports of containers that run beside each other are one space: a pod has one network. One
// container may say a number twice, as Kubernetes lets it, but no name.
func (p *pod) ports() {
	numbers, names := map[string]string{}, map[string]string{}
	for _, c := range p.containers {
		if !c.runs {
			continue
		}
		for i, port := range node.List(c.Node, "ports") {
			path := c.path + ".ports[" + strconv.Itoa(i) + "]"
			number, name := portKey(port), node.Text(port, "name")
			if owner, taken := numbers[number]; taken && owner != c.name {
				p.wrong(finding.PortConflict, number+" "+c.name, path,
					"port %s of container %q is container %q's, too; change one of them", number, c.name, owner)
			} else {
				numbers[number] = c.name
			}
			if name == "" {
				continue
			}
			if owner, taken := names[name]; taken {
				p.wrong(finding.PortConflict, name+" "+c.name, path+".name",
					"port name %q of container %q is used by container %q already; rename one of them", name, c.name, owner)
				continue
			}
			names[name] = c.name
		}
	}
}

func portKey(port *yaml.Node) string {
	protocol := node.Text(port, "protocol")
	if protocol == "" {
		protocol = "TCP"
	}
	return node.Text(port, "containerPort") + "/" + protocol
}

// env names come once: of two, Kubernetes takes the last without a word.
func (p *pod) env(c container) {
	variables := node.List(c.Node, "env")
	first := make(map[string]int, len(variables))
	for i, variable := range variables {
		name := node.Text(variable, "name")
		if at, again := first[name]; again {
			p.wrong(finding.EnvConflict, c.name+" "+name, c.path+".env["+strconv.Itoa(i)+"].name",
				"container %q sets the env variable %q twice, first at env[%d]; Kubernetes takes the last one, so remove one of them", c.name, name, at)
			continue
		}
		first[name] = i
	}
}
