package admission

import (
	"fmt"
	"reflect"

	corev1 "k8s.io/api/core/v1"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/pod"
	"pillion.dev/pillion/internal/yaml/node"
)

// checkContainers checks the containers that the injector adds.
func (v *validator) checkContainers() {
	for _, ins := range v.insertions() {
		if ins.in != v.in {
			continue
		}
		v.from(ins.in, ins.field())
		if v.in.Spec.OnConflict.Port == v1alpha1.PortError {
			for _, port := range ins.runningPorts() {
				v.checkPort(ins, port)
			}
		}
		v.checkName(ins)
		v.checkContainer(ins)
	}
}

// checkName checks that a container is there, and that no ephemeral one has its name.
func (v *validator) checkName(ins insertion) {
	name := ins.container.Name
	v.problem(finding.ContainerConflict, quote(fmt.Sprintf("an ephemeral container is already called %q; rename one of them, or remove "+
		"ephemeralContainers from the manifest", name)),
		fmt.Sprintf("object.spec.?ephemeralContainers.orValue([]).exists(c, c.name == %s)", quote(name)))
	v.lacks(fmt.Sprintf("container %q is missing", name), "!"+ins.isInPod())
}

// checkContainer checks that a container is in its list, and has its declared fields.
func (v *validator) checkContainer(ins insertion) {
	name, list, other := ins.container.Name, ins.list, containersList
	if list == containersList {
		other = initContainersList
	}
	hasName := func(l podList) string { return fmt.Sprintf("%s in %s", quote(name), l.names()) }
	quoted := fmt.Sprintf("container %q", name)

	v.problem(finding.ContainerConflict, quote(fmt.Sprintf("%s is already in %s, and the injector adds one of that name to %s; "+
		"rename it, or set spec.onConflict.container to Keep", quoted, other.name, list.name)), "!"+v.stamped, hasName(other))

	differs := v.add(ins.id()+"_differs",
		fmt.Sprintf("the fields in which the pod's container %s in %s differs from the injector's", name, list.name),
		v.differing(ins))
	isDifferent := []string{"!" + v.stamped, hasName(list), fmt.Sprintf("size(%s) > 0", differs)}
	v.problem(finding.ContainerConflict, fmt.Sprintf("%s + %s.join(\", \") + %s", quote(quoted+" is already there and differs in "), differs,
		quote("; rename it, or set spec.onConflict.container to Keep, Merge or Replace")), isDifferent...)
}

// differing returns the expression for the names of the declared fields in which a container of the pod differs.
func (v *validator) differing(ins insertion) string {
	found := v.add(ins.id()+"_found", fmt.Sprintf("the pod's container %s in %s, or nothing", ins.container.Name, ins.list.name),
		fmt.Sprintf("%s.filter(c, c.name == %s)", ins.list.entries(), quote(ins.container.Name)))
	var fields []string
	add := func(key string, conditions []string) {
		if len(conditions) > 0 {
			fields = append(fields, fmt.Sprintf("(%s.exists(c, %s) ? [] : [%s])", found, all(conditions), quote(key)))
		}
	}
	for key, value := range node.Fields(ins.body) {
		if key == "name" {
			continue
		}
		add(key, v.equalContainerField(ins, key, value))
	}
	if len(fields) == 0 {
		return "[].map(f, string(f))"
	}
	return chain(fields)
}

// equalContainerField returns the conditions that the container c has a declared field. A port that another container has may be left
// out with onConflict.port: Keep.
func (v *validator) equalContainerField(ins insertion, key string, value *node.Node) []string {
	t := reflect.TypeFor[corev1.Container]()
	if key != "ports" || v.in.Spec.OnConflict.Port != v1alpha1.PortKeep {
		return equalField(key, value, t, "c")
	}
	var conditions []string
	for _, port := range ins.runningPorts() {
		conditions = append(conditions, fmt.Sprintf("(%s || %s)",
			hasEntry(key, port, pod.Type(t, key).Elem(), "c"+selector(key)), isTakenInPod(ins.container.Name, port)))
	}
	return conditions
}

// checkPort checks that no other container has a port of a container.
func (v *validator) checkPort(ins insertion, port *node.Node) {
	described := pod.PortKey(port)
	name := node.Text(port, "name")
	if name != "" {
		described += " (" + name + ")"
	}
	ports := "c.?ports.orValue([])"
	same := fmt.Sprintf(`%s.exists(p, %s) ? "number" : "host port"`, ports, sameNumber(port))
	if name != "" {
		same = fmt.Sprintf(`%s.exists(p, %s) ? "name" : %s`, ports, sameName(port), same)
	}
	conditions := []string{
		"!" + v.stamped, fmt.Sprintf("c.name != %s", quote(ins.container.Name)), fmt.Sprintf("%s.exists(p, %s)", ports, clashes(port)),
	}
	v.each(finding.PortConflict, "variables.running", all(conditions), fmt.Sprintf(
		"%s + (%s) + %s + c.name + %s", quote(fmt.Sprintf("port %s of container %q has the same ", described, ins.container.Name)), same,
		quote(` as one of container "`), quote(`"; change it, or set spec.onConflict.port to Keep to leave it out`)))
}
