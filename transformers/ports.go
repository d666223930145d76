package transformers

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/podtemplate"
	"pillion.dev/pillion/internal/yaml/node"
)

// settlePorts holds a container's ports against those of the pod's other containers, which
// share one network. A port that is taken is an error, or is left out of the body.
func settlePorts(pod *Pod, in *injector.Injector, name, list string, body *yaml.Node) []finding.Finding {
	ports := node.Get(body, "ports")
	if ports == nil || ports.Kind != yaml.SequenceNode || !keepsRunning(list, body) {
		return nil
	}
	var met []finding.Finding
	var free []*yaml.Node
	for _, port := range ports.Content {
		owner, path := portOwner(pod, name, port)
		switch {
		case owner == "":
			free = append(free, port)
		case in.Spec.OnConflict.Port == v1alpha1.PortKeep:
			met = append(met, problem(finding.Info, finding.PortConflict, path,
				"port %s is container %q's and is left out of %q (spec.onConflict.port: Keep)", showPort(port), owner, name))
		default:
			f := problem(finding.Error, finding.PortConflict, path,
				"port %s of container %q meets one of container %q with the same number, host port or name; change it, or set spec.onConflict.port to Keep to leave it out",
				showPort(port), name, owner)
			f.Field.Proposed = node.Brief(port)
			met = append(met, f)
		}
	}
	if len(free) == 0 && len(ports.Content) > 0 {
		node.Delete(body, "ports")
	} else {
		ports.Content = free
	}
	return met
}

// keepsRunning tells an init container that ends, and frees its ports, from all others.
func keepsRunning(list string, container *yaml.Node) bool {
	return list == containers || node.Text(container, "restartPolicy") == "Always"
}

// portOwner finds another container that has the port's number or name.
func portOwner(pod *Pod, except string, port *yaml.Node) (owner, path string) {
	for _, list := range []string{containers, initContainers} {
		for i, container := range pod.entries(list) {
			owner := node.Text(container, "name")
			if owner == except || !keepsRunning(list, container) {
				continue
			}
			for j, taken := range node.List(container, "ports") {
				if clash(port, taken) {
					return owner, fmt.Sprintf("%s.ports[%d]", pod.at(list, i), j)
				}
			}
		}
	}
	return "", ""
}

func clash(a, b *yaml.Node) bool {
	if name := node.Text(a, "name"); name != "" && name == node.Text(b, "name") {
		return true
	}
	if podtemplate.Protocol(a) != podtemplate.Protocol(b) {
		return false
	}
	hostPort := node.Number(a, "hostPort")
	return node.Number(a, "containerPort") == node.Number(b, "containerPort") ||
		hostPort != "" && hostPort != "0" && hostPort == node.Number(b, "hostPort") && sameHostIP(node.Text(a, "hostIP"), node.Text(b, "hostIP"))
}

// sameHostIP tells whether two addresses overlap: none, and the unspecified one, are all.
func sameHostIP(a, b string) bool {
	all := func(ip string) bool { return ip == "" || ip == "0.0.0.0" || ip == "::" }
	return a == b || all(a) || all(b)
}

func showPort(port *yaml.Node) string {
	parts := []string{podtemplate.PortKey(port)}
	if name := node.Text(port, "name"); name != "" {
		parts = append(parts, "("+name+")")
	}
	return strings.Join(parts, " ")
}
