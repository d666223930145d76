package admission

import (
	"fmt"
	"reflect"
	"strings"

	"go.yaml.in/yaml/v3"
	corev1 "k8s.io/api/core/v1"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/podtemplate"
	"pillion.dev/pillion/internal/yaml/node"
)

// checkContainers checks the containers that the injector adds to a list.
func (v *validator) checkContainers(list podList) {
	for _, ins := range v.insertionsInto(list) {
		if ins.in != v.in {
			continue
		}
		v.from(ins.in, ins.field())
		var when []string // nothing, or whether the pod finishes
		if ins.when != "" {
			when = []string{ins.when}
		}
		if ports := node.List(ins.body, "ports"); keepsRunning(list, ins.body) {
			for _, port := range ports {
				v.checkPort(ins, port, when)
			}
		}
		v.checkContainer(list, ins, when)
	}
}

// checkContainer checks that a container is there, in its list and with its declared fields.
func (v *validator) checkContainer(list podList, ins insertion, when []string) {
	name, other := ins.container.Name, containersList
	if list == containersList {
		other = initContainersList
	}
	hasName := func(l podList) string { return fmt.Sprintf("%s in %s", quote(name), l.names()) }
	given := func(more ...string) []string { return append(append([]string{}, when...), more...) }
	quoted := fmt.Sprintf("container %q", name)

	v.problem(finding.ContainerConflict, quote(fmt.Sprintf("an ephemeral container is already called %q; rename one of them, or remove "+
		"ephemeralContainers from the manifest", name)),
		given(fmt.Sprintf("object.spec.?ephemeralContainers.orValue([]).exists(c, c.name == %s)", quote(name)))...)
	v.lacks(quoted+" is missing", given("!("+hasName(containersList)+")", "!("+hasName(initContainersList)+")")...)
	v.problem(finding.ContainerConflict, quote(fmt.Sprintf("%s is already in %s, and the injector adds one of that name to %s; "+
		"rename it, or set spec.onConflict.container to Keep", quoted, other.name, list.name)), given("!"+v.stamped, hasName(other))...)

	differs := v.add(fmt.Sprintf("%s_%s_%s_differs", v.in.id, identifier(name), list.name),
		fmt.Sprintf("the fields in which the pod's container %s in %s differs from the injector's", name, list.name),
		v.differing(list, ins))
	isDifferent := given("!"+v.stamped, hasName(list), fmt.Sprintf("size(%s) > 0", differs))
	v.problem(finding.ContainerConflict, fmt.Sprintf("%s + %s.join(\", \") + %s", quote(quoted+" is already there and differs in "), differs,
		quote("; rename it, or set spec.onConflict.container to Keep, Merge or Replace")), isDifferent...)
}

// differing returns the expression for the names of the declared fields in which a container of the pod differs.
func (v *validator) differing(list podList, ins insertion) string {
	at := fmt.Sprintf("object.spec.?%s.orValue([]).exists(c, c.name == %s && %%s)", list.name, quote(ins.container.Name))
	var fields []string
	for key, value := range node.Fields(ins.body) {
		if key == "name" {
			continue
		}
		conditions := equalField(key, value, reflect.TypeFor[corev1.Container](), "c")
		if len(conditions) == 0 {
			continue
		}
		fields = append(fields, fmt.Sprintf("("+at+" ? [] : [%s])", strings.Join(conditions, " &&\n    "), quote(key)))
	}
	if len(fields) == 0 {
		return "[].map(f, string(f))"
	}
	return chain(fields)
}

// keepsRunning reports whether a container does not end and free its ports, as init containers do.
func keepsRunning(list podList, body *yaml.Node) bool {
	return list == containersList || node.Text(body, "restartPolicy") == "Always"
}

// checkPort checks that no other container has a port of a container.
func (v *validator) checkPort(ins insertion, port *yaml.Node, when []string) {
	described := podtemplate.PortKey(port)
	name := node.Text(port, "name")
	if name != "" {
		described += " (" + name + ")"
	}
	ports := "c.?ports.orValue([])"
	same := fmt.Sprintf(`%s.exists(p, %s) ? "number" : "host port"`, ports, sameNumber(port))
	if name != "" {
		same = fmt.Sprintf(`%s.exists(p, %s) ? "name" : %s`, ports, sameName(port), same)
	}
	conditions := append([]string{"!" + v.stamped}, when...)
	conditions = append(conditions,
		fmt.Sprintf("c.name != %s", quote(ins.container.Name)), fmt.Sprintf("%s.exists(p, %s)", ports, clashes(port)))
	v.each(finding.PortConflict, "variables.running", all(conditions), fmt.Sprintf(
		"%s + (%s) + %s + c.name + %s", quote(fmt.Sprintf("port %s of container %q has the same ", described, ins.container.Name)), same,
		quote(` as one of container "`), quote(`"; change it, or set spec.onConflict.port to Keep to leave it out`)))
}

func sameName(port *yaml.Node) string {
	return fmt.Sprintf(`p.?name.orValue("") == %s`, quote(node.Text(port, "name")))
}

func sameNumber(port *yaml.Node) string {
	return fmt.Sprintf(`p.?protocol.orValue("TCP") == %s && p.containerPort == %s`,
		quote(podtemplate.Protocol(port)), node.Number(port, "containerPort"))
}

// clashes returns the condition that the port p excludes another one, as [podtemplate.PortsClash] does.
func clashes(port *yaml.Node) string {
	conditions := []string{sameNumber(port)}
	if node.Text(port, "name") != "" {
		conditions = append(conditions, sameName(port))
	}
	if hostPort := node.Number(port, "hostPort"); hostPort != "" && hostPort != "0" {
		same := fmt.Sprintf(`p.?protocol.orValue("TCP") == %s && p.?hostPort.orValue(0) == %s`, quote(podtemplate.Protocol(port)), hostPort)
		if ip := node.Text(port, "hostIP"); ip != "" && ip != "0.0.0.0" && ip != "::" {
			same += fmt.Sprintf(` && p.?hostIP.orValue("") in ["", "0.0.0.0", "::", %s]`, quote(ip))
		}
		conditions = append(conditions, same)
	}
	return strings.Join(conditions, " || ")
}
