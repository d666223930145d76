package admission

import (
	"fmt"
	"strings"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/pod"
	"pillion.dev/pillion/internal/yaml/node"
)

// addRunning adds the variable with the containers whose ports exclude each other, once.
func (c *compiler) addRunning() {
	if !c.names["running"] {
		c.add("running", "the containers that keep running and share one network: the pod's containers and its native sidecars",
			containersList.entries()+" + "+initContainersList.entries()+`.filter(c, c.?restartPolicy.orValue("") == "Always")`)
	}
}

// keepsRunning reports whether a container does not end and free its ports, as init containers do.
func keepsRunning(list podList, body *node.Node) bool {
	return pod.Runs(list.name, body)
}

// runningPorts returns the ports of a container that keeps running.
func (ins *insertion) runningPorts() []*node.Node {
	if !keepsRunning(ins.list, ins.body) {
		return nil
	}
	return node.List(ins.body, "ports")
}

// settlePorts decides about ports that other containers of the pod have. With onConflict.port: Keep they are left out. Otherwise Pillion
// refuses the pod.
func (c *compiler) settlePorts(all []insertion) {
	for i := range all {
		ins := &all[i]
		ports := ins.runningPorts()
		if len(ports) == 0 || ins.in.Spec.OnConflict.Port != v1alpha1.PortKeep {
			continue
		}
		c.addRunning()
		parts := make([]string, len(ports))
		for p, port := range ports {
			parts[p] = fmt.Sprintf("(%s ? [] : [%s])", ins.isTaken(port, all), literal(port))
		}
		ins.ports = c.add(ins.id()+"_ports", "the ports of "+ins.container.Name+" that no other container has", chain(parts))
	}
}

// isTaken returns the condition that another container has a port: one of the pod, or one that is added before.
func (ins *insertion) isTaken(port *node.Node, all []insertion) string {
	conditions := []string{isTakenInPod(ins.container.Name, port)}
	for i := range all[:ins.turn] {
		before := &all[i]
		switch {
		case before.container.Name == ins.container.Name || !before.mayClash(port):
		case before.ports != "":
			conditions = append(conditions, fmt.Sprintf("(%s && %s.exists(p, %s))", before.isAdded(all), before.ports, clashes(port)))
		default:
			conditions = append(conditions, "("+before.isAdded(all)+")")
		}
	}
	return strings.Join(conditions, " || ")
}

// mayClash reports whether a container has a port that clashes with another one.
func (ins *insertion) mayClash(with *node.Node) bool {
	for _, port := range ins.runningPorts() {
		if pod.PortsClash(with, port) != "" {
			return true
		}
	}
	return false
}

// isTakenInPod returns the condition that another container of the pod has a port of a container.
func isTakenInPod(container string, port *node.Node) string {
	return fmt.Sprintf("variables.running.exists(c, c.name != %s && c.?ports.orValue([]).exists(p, %s))", quote(container), clashes(port))
}

func sameName(port *node.Node) string {
	return fmt.Sprintf(`p.?name.orValue("") == %s`, quote(node.Text(port, "name")))
}

func sameNumber(port *node.Node) string {
	return fmt.Sprintf(`p.?protocol.orValue("TCP") == %s && p.containerPort == %s`,
		quote(pod.Protocol(port)), node.Number(port, "containerPort"))
}

// clashes returns the condition that the port p excludes another one, as [pod.PortsClash] does.
func clashes(port *node.Node) string {
	conditions := []string{sameNumber(port)}
	if node.Text(port, "name") != "" {
		conditions = append(conditions, sameName(port))
	}
	if hostPort := node.Number(port, "hostPort"); hostPort != "" && hostPort != "0" {
		// On the host's network, the API server gives each port its number as hostPort, and requires that they are the same.
		same := fmt.Sprintf(`!%s && p.?protocol.orValue("TCP") == %s && p.?hostPort.orValue(0) == %s`,
			usesHostNetwork, quote(pod.Protocol(port)), hostPort)
		if ip := node.Text(port, "hostIP"); ip != "" && ip != "0.0.0.0" && ip != "::" {
			same += fmt.Sprintf(` && p.?hostIP.orValue("") in ["", "0.0.0.0", "::", %s]`, quote(ip))
		}
		conditions = append(conditions, same)
	}
	return strings.Join(conditions, " || ")
}
