package check

import (
	"strconv"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/podtemplate"
	"pillion.dev/pillion/internal/yaml/node"
)

// hostPorts checks that containers take no port of the host twice. On the host's network every port
// is one of the host's, and under its own number. Init containers run one by one.
func (p *pod) hostPorts() {
	onHost := node.IsTrue(p.Spec(), "hostNetwork")
	var all names
	for _, c := range p.containers {
		taken := &all
		if c.list == "initContainers" {
			taken = &names{}
		}
		for i, port := range node.List(c.Node, "ports") {
			number, host := node.Number(port, "containerPort"), node.Number(port, "hostPort")
			at := p.path(c, "ports["+strconv.Itoa(i)+"].hostPort")
			switch {
			case (host == "" || host == "0") && !onHost:
				continue
			case host == "" || host == "0":
				host = number
			case onHost && host != number && c.list == "containers":
				p.wrong(finding.InvalidPod, c.name+" port "+number, at,
					"port %s of container %q has the hostPort %s, which must be the same in a pod with hostNetwork; take it out, or hostNetwork",
					number, c.name, host)
			}
			key := podtemplate.Protocol(port) + "/" + node.Text(port, "hostIP") + "/" + host
			if _, again := taken.add(key); again {
				p.wrong(finding.PortConflict, c.name+" host "+key, at,
					"port %s of the host is taken by another port of the pod, and container %q wants it, too; change one of them", host, c.name)
			}
		}
	}
}
