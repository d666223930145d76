package admission

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/yaml/node"
)

// insertion is a container that goes into a list of the pod.
type insertion struct {
	in        *compiled
	container injector.Container
	body      *yaml.Node
	when      string // an additional condition: whether the pod is meant to finish
}

// insertionsInto returns what goes into a list, in the order in which Pillion adds it.
func (c *compiler) insertionsInto(list podList) []insertion {
	var all []insertion
	for i := range c.injectors {
		in := &c.injectors[i]
		if list == initContainersList {
			for _, container := range in.InitContainers {
				all = append(all, insertion{in: in, container: container, body: container.Body})
			}
		}
		for _, container := range in.Containers {
			always, finishing := in.IsNative(container, false), in.IsNative(container, true)
			isInit := list == initContainersList
			body := container.Body
			if isInit {
				body = container.NativeBody
			}
			switch {
			case always == finishing && isInit != always: // it is always in the other list
			case always == finishing:
				all = append(all, insertion{in: in, container: container, body: body})
			case always != finishing && isInit:
				all = append(all, insertion{in: in, container: container, body: body, when: "variables.finishes"})
			case always != finishing:
				all = append(all, insertion{in: in, container: container, body: body, when: "!variables.finishes"})
			}
		}
	}
	return all
}

// addContainers adds the payload's containers and init containers, each at the index that Pillion gives it. The variables follow the names
// in the list, because the index of one depends on those that were added before.
func (c *compiler) addContainers() {
	for _, list := range []podList{initContainersList, containersList} {
		names := list.names()
		insertions := c.insertionsInto(list)
		for _, ins := range insertions {
			id := fmt.Sprintf("%s_%s_%s", ins.in.id, identifier(ins.container.Name), list.name)
			isWanted := []string{ins.in.selected, fmt.Sprintf("!(%[1]s in variables.containers || %[1]s in variables.initContainers)",
				quote(ins.container.Name))}
			if ins.when != "" {
				isWanted = append(isWanted, ins.when)
			}
			at := c.add(id+"_at", fmt.Sprintf("the index of container %s in %s, or -1 if it is not added", ins.container.Name, list.name),
				fmt.Sprintf("%s ? %s : -1", strings.Join(isWanted, " && "), c.position(ins, list, names, insertions)))
			body := c.add(id, "the container "+ins.container.Name, c.body(ins))
			c.create(".spec.?"+list.name, list.path, "[]", at+" >= 0")
			names = c.add(id+"_names", "the names in "+list.name+" with it", fmt.Sprintf("%s < 0 ? %s : %s", at, names,
				inserted(names, at, quote(ins.container.Name))))
			c.operationsOfContainer(list, ins, at, body)
		}
		if list == containersList && len(insertions) > 0 {
			c.addDefaultContainer(names)
		}
	}
}

// body returns the container that is added as an expression.
func (c *compiler) body(ins insertion) string { return c.value(ins.in, ins.body) }

func (c *compiler) operationsOfContainer(list podList, ins insertion, at, body string) {
	c.operate(fmt.Sprintf("the container %s of %s", ins.container.Name, ins.in.Name),
		"(%[1]s < 0 ? [] : [JSONPatch{op: \"add\", path: %[2]s + string(%[1]s), value: %[3]s}])", at, quote(list.path+"/"), body)
}

// position returns the expression for the index of a container in a list of names: that of [payload.position].
func (c *compiler) position(ins insertion, list podList, names string, all []insertion) string {
	container := ins.container
	otherwise := "size(" + names + ")"
	if leads(container.PodInjectPolicy, list, ins.body) {
		otherwise = c.front(list, names, all)
	}
	switch {
	case container.Before != "":
		return fmt.Sprintf("(%[1]s in %[2]s ? %[2]s.indexOf(%[1]s) : %[3]s)", quote(container.Before), names, otherwise)
	case container.After != "":
		return fmt.Sprintf("(%s in %s ? %s : %s)", quote(container.After), names, c.behind(container.After, list, names, all), otherwise)
	default:
		return otherwise
	}
}

// leads reports whether a container goes in front of the app's.
func leads(policy v1alpha1.PodInjectPolicy, list podList, body *yaml.Node) bool {
	if policy == "" {
		return list == initContainersList && node.Text(body, "restartPolicy") == "Always"
	}
	return policy == v1alpha1.BeforeAppContainer
}

// front returns the expression for the index behind what injectors put in front of the app's entries.
func (c *compiler) front(list podList, names string, all []insertion) string {
	var leading []string
	for _, other := range all {
		if leads(other.container.PodInjectPolicy, list, other.body) {
			leading = append(leading, other.container.Name)
		}
	}
	return first(names, fmt.Sprintf("!(n in %s) && (size(%[2]s) == 0 || n in %[2]s)", stringList(leading), list.names()))
}

// behind returns the expression for the index behind an entry, and behind what injectors put there as well: between entries of the app,
// all of it; elsewhere, what goes behind the same entry.
func (c *compiler) behind(neighbour string, list podList, names string, all []insertion) string {
	var same []string
	for _, other := range all {
		if other.container.After == neighbour {
			same = append(same, other.container.Name)
		}
	}
	at := fmt.Sprintf("%s.indexOf(%s)", names, quote(neighbour))
	next := first(names, fmt.Sprintf("i > %s && n in %s", at, list.names()))
	nextOther := first(names, fmt.Sprintf("i > %s && !(n in %s)", at, stringList(same)))
	return fmt.Sprintf("(%[1]s in %[2]s && %[3]s < size(%[4]s) ? %[3]s : %[5]s)", quote(neighbour), list.names(), next, names, nextOther)
}

// defaultContainerAnnotation names the container that kubectl takes if none is given.
const defaultContainerAnnotation = "kubectl.kubernetes.io/default-container"

// addDefaultContainer names the app's first container as the default of kubectl if a sidecar is put in front of it.
func (c *compiler) addDefaultContainer(names string) {
	apps := c.add("apps", "the app's containers", "variables.containers.filter(n, !(n in variables.declared))")
	isNeeded := c.add("needs_default_container", "whether kubectl would use a sidecar by default, and the pod names no other container",
		fmt.Sprintf("size(%[1]s) > 0 && %[2]s[0] != %[1]s[0] && !(%[2]s[0] in variables.containers) &&\n"+
			"[%[3]s, \"kubectl.kubernetes.io/default-logs-container\"].all(a, %[4]s[?a].orValue(\"\") == \"\")",
			apps, names, quote(defaultContainerAnnotation), podAnnotations))
	c.create(".metadata.?annotations", "/metadata/annotations", "{}", isNeeded)
	c.operate("the app's first container stays the default of kubectl",
		"(!%s ? [] : [JSONPatch{op: \"add\", path: \"/metadata/annotations/kubectl.kubernetes.io~1default-container\", value: %s[0]}])",
		isNeeded, apps)
}
