package admission

import (
	"fmt"
	"slices"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/yaml/node"
)

// insertion is a container that goes into a list of the pod.
type insertion struct {
	in        *compiled
	container injector.Container
	list      podList
	body      *node.Node
	turn      int    // its place in the order in which Pillion adds containers
	ports     string // the variable with those of its ports that are free, or "" if it has all of them
}

// field returns the field of the container in its injector.
func (ins *insertion) field() string {
	for _, list := range []struct {
		name       string
		containers []injector.Container
	}{{"containers", ins.in.Containers}, {"initContainers", ins.in.InitContainers}} {
		if i := slices.IndexFunc(list.containers, func(c injector.Container) bool { return c.Name == ins.container.Name }); i >= 0 {
			return fmt.Sprintf("%s[%d]", list.name, i)
		}
	}
	return "containers"
}

// insertions returns the containers of all injectors, in the order in which Pillion adds them.
func (c *compiler) insertions() []insertion {
	var all []insertion
	add := func(ins insertion) {
		ins.turn = len(all)
		all = append(all, ins)
	}
	for i := range c.injectors {
		in := &c.injectors[i]
		for _, container := range in.InitContainers {
			add(insertion{in: in, container: container, list: initContainersList, body: container.Body})
		}
		for _, container := range in.Containers {
			if container.Mode == v1alpha1.ModeNative {
				add(insertion{in: in, container: container, list: initContainersList, body: container.NativeBody})
			} else {
				add(insertion{in: in, container: container, list: containersList, body: container.Body})
			}
		}
	}
	return all
}

// into returns those of the insertions that go into a list.
func into(list podList, all []insertion) []insertion {
	return slices.DeleteFunc(slices.Clone(all), func(ins insertion) bool { return ins.list != list })
}

// id returns the beginning of the names of its variables.
func (ins *insertion) id() string {
	return fmt.Sprintf("%s_%s_%s", ins.in.id, identifier(ins.container.Name), ins.list.name)
}

// isInPod returns the condition that the pod already has a container of the name.
func (ins *insertion) isInPod() string {
	return fmt.Sprintf("(%[1]s in variables.containers || %[1]s in variables.initContainers)", quote(ins.container.Name))
}

// isAdded returns the condition that the container is added: nothing has its name, neither in the pod nor of an injector before.
func (ins *insertion) isAdded(insertions []insertion) string {
	conditions := []string{ins.in.selected, "!" + ins.isInPod()}
	for i := range insertions[:ins.turn] {
		if before := &insertions[i]; before.container.Name == ins.container.Name && before.in != ins.in {
			conditions = append(conditions, "!"+before.in.selected)
		}
	}
	return all(conditions)
}

// addContainers adds the payload's containers and init containers, each at the index that Pillion gives it.
// The variables follow the names in the list, because the index of one depends on those that were added before.
func (c *compiler) addContainers() {
	all := c.insertions()
	c.settlePorts(all)
	for _, list := range []podList{initContainersList, containersList} {
		follow := following{list: list, names: list.names(), all: all}
		c.followLeading(&follow)
		insertions := into(list, all)
		for i := range insertions {
			c.addContainer(&insertions[i], &follow)
		}
		if list == containersList && slices.ContainsFunc(insertions, mayBeFirst) {
			c.addDefaultContainer(follow.names)
		}
	}
}

// mayBeFirst reports whether a container may be put in front of the pod's first one.
func mayBeFirst(ins insertion) bool {
	return ins.container.Before != "" || injector.Leads(ins.container.PodInjectPolicy, ins.list.name, ins.body)
}

// addContainer adds the variables and operations of one container.
func (c *compiler) addContainer(ins *insertion, follow *following) {
	c.from(ins.in, ins.field())
	id, name, list := ins.id(), ins.container.Name, ins.list
	comment := fmt.Sprintf("the index of container %s in %s, or -1 if it is not added", name, list.name)
	at := fmt.Sprintf("%s ? %s : -1", ins.isAdded(follow.all), c.position(ins, follow))
	at = c.add(id+"_at", comment, at)
	if list == initContainersList {
		c.create(".spec.?"+list.name, list.path, "[]", at+" >= 0")
	}
	c.operationsOfContainer(ins, at, c.body(ins))
	c.follow(follow, ins, at)
}

// body returns the variable with the container that is added, without ports that an operation of its own adds.
func (c *compiler) body(ins *insertion) string {
	body := node.Clone(ins.body)
	if ins.ports != "" {
		node.Delete(body, "ports")
	}
	name := ins.container.Name
	return c.add(ins.in.id+"_"+identifier(name), "the container "+name, literal(body))
}

func (c *compiler) operationsOfContainer(ins *insertion, at, body string) {
	path := quote(ins.list.path+"/") + " + string(" + at + ")"
	patches := fmt.Sprintf("JSONPatch{op: \"add\", path: %s, value: %s}", path, body)
	c.operate(fmt.Sprintf("the container %s of %s, in %s", ins.container.Name, ins.in.Name, ins.list.name),
		"(%s < 0 ? [] : [%s])", at, patches)
	if ins.ports != "" {
		c.operate("ports of "+ins.container.Name,
			"(%[1]s < 0 || size(%[2]s) == 0 ? [] : [JSONPatch{op: \"add\", path: %[3]s + \"/ports\", value: %[2]s}])", at, ins.ports, path)
	}
}

// The annotations that name the container which kubectl takes if none is given; the second is the older one.
const (
	defaultContainerAnnotation     = "kubectl.kubernetes.io/default-container"
	defaultLogsContainerAnnotation = "kubectl.kubernetes.io/default-logs-container"
)

// namesDefaultContainer reports whether a key is an annotation that names the default container.
func namesDefaultContainer(key string) bool {
	return key == defaultContainerAnnotation || key == defaultLogsContainerAnnotation
}

// addDefaultContainer names the app's first container as the default of kubectl if a sidecar is put in front of it.
func (c *compiler) addDefaultContainer(names string) {
	apps := "variables.containers" // those of the pod, even if injectors declare, keep or replace them
	if c.hasUnstamped() {
		apps = c.add("apps", "the app's containers", "variables.containers.filter(n, !(n in variables.declared))")
	}
	isNeeded := c.add("needs_default_container", "whether kubectl would use a sidecar by default, and the pod names no other container",
		fmt.Sprintf("size(%[1]s) > 0 && !(%[2]s[0] in variables.containers) &&\n%[3]s == \"\" && %[4]s == \"\"",
			apps, names, c.annotation(defaultContainerAnnotation), c.annotation(defaultLogsContainerAnnotation)))
	c.create(".metadata.?annotations", "/metadata/annotations", "{}", isNeeded)
	c.operate("the app's first container stays the default of kubectl",
		"(!%s ? [] : [JSONPatch{op: \"add\", path: \"/metadata/annotations/kubectl.kubernetes.io~1default-container\", value: %s[0]}])",
		isNeeded, apps)
}

// annotation returns the expression for an annotation of the pod after patchPodMetadata, which is empty if it is absent.
func (c *compiler) annotation(key string) string {
	expression := fmt.Sprintf("%s[?%s].orValue(\"\")", podAnnotations, quote(key))
	for i := range c.injectors {
		in := &c.injectors[i]
		for _, patch := range in.PodMetadata {
			value := node.Get(patch.Annotations, key)
			if value == nil || node.IsNull(value) {
				continue
			}
			condition := in.selected
			if patch.Policy == v1alpha1.PatchRetain {
				condition += fmt.Sprintf(" && !(%s in %s)", quote(key), podAnnotations)
			}
			expression = fmt.Sprintf("(%s ? %s : %s)", condition, literal(value), expression)
		}
	}
	return expression
}
