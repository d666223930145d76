package injector

import (
	"fmt"
	"slices"
	"strconv"

	"pillion.dev/pillion/internal/config/schema"
	"pillion.dev/pillion/internal/config/variable"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// App is what variables of the app's containers refer to. It must be the same whichever injectors have run before.
type App struct {
	// Template is the pod template without anything that injectors added, as far as stamps tell.
	Template *node.Node
	// Read is the pod template as it was read, in which findings are located.
	Read *node.Node
	// IsStamped reports whether a stamp has a container of that name, which therefore is not the app's. It may be nil:
	// the template has none.
	IsStamped func(name string) bool
	// IsInjected reports whether any injector adds a container of that name, so that appContainers leave it alone. It
	// may be nil: none does.
	IsInjected func(name string) bool
}

// RefersToApp reports whether the payload has variables of the app's containers.
func (i *Injector) RefersToApp() bool { return i.Varies() && i.declared.refersToApp }

// ContainerNames returns the names of the payload's containers for one pod. They never depend on the app's containers,
// because these are told apart by name. A name whose variables have no value is left out.
func (i *Injector) ContainerNames(subject Subject) (names []string) {
	values := subject.values(i.NamespaceOf(subject.Object))
	for _, container := range pod.Containers(i.declared.fields) {
		isSet := true
		name := i.declared.variables.Expand(node.Get(container, "name"), values,
			func(schema.Text, *variable.Unset) { isSet = false })
		if isSet {
			names = append(names, node.Text(name))
		}
	}
	return names
}

// appReader reads the values of the app's containers for one injector and pod.
type appReader struct {
	App
	subject Subject
	own     map[string]bool // the names of the injector's containers
}

func (i *Injector) appReader(subject Subject) appReader {
	r := appReader{
		App:     App{Template: subject.Template.Node, Read: subject.Template.Node},
		subject: subject,
		own:     map[string]bool{},
	}
	if subject.App != nil {
		r.App = subject.App()
	}
	for _, name := range i.ContainerNames(subject) {
		r.own[name] = true
	}
	return r
}

// defaultContainer returns the values of the app's container that kubectl takes if none is named: the one that the
// annotation of the pod template names, or else the first.
func (r appReader) defaultContainer() variable.Container {
	named := node.Text(r.Template, "metadata", "annotations", pod.DefaultContainer)
	var first *node.Node
	for _, container := range node.List(r.Template, "spec", "containers") {
		name := node.Text(container, "name")
		if r.own[name] || r.IsStamped != nil && r.IsStamped(name) {
			continue
		}
		if name != "" && name == named {
			return r.values(container, "containers")
		}
		if first == nil {
			first = container
		}
	}
	if first != nil {
		return r.values(first, "containers")
	}
	return variable.Container{Lack: func(string) variable.Lack {
		return variable.Lack{
			Why:    "the pod template has no container except those that injectors add",
			Remedy: "add one, exclude the workload",
			Field:  r.subject.Template.At("spec.containers"),
		}
	}}
}

// appContainer is a container of the app that gets an addition.
type appContainer struct {
	values variable.Container
	isInit bool
}

// containers returns the app's containers that may get additions, from both lists, and their values by name. If a pod
// has two of one name, the first counts.
func (r appReader) containers() (all []appContainer, byName map[string]variable.Container) {
	byName = map[string]variable.Container{}
	for at, container := range pod.Containers(node.Get(r.Template, "spec")) {
		name := node.Text(container, "name")
		if _, isKnown := byName[name]; isKnown || r.own[name] || r.IsInjected != nil && r.IsInjected(name) {
			continue
		}
		byName[name] = r.values(container, at.List)
		all = append(all, appContainer{byName[name], at.List == pod.Init})
	}
	return all, byName
}

// values returns the values of a container.
func (r appReader) values(container *node.Node, list string) variable.Container {
	values := ContainerValues(container)
	values.Lack = func(lacking string) variable.Lack { return r.lack(lacking, container, list) }
	return values
}

// ContainerValues returns what variables of a container of the app stand for.
func ContainerValues(container *node.Node) variable.Container {
	return variable.Container{
		Name:  node.Text(container, "name"),
		Image: node.Text(container, "image"),
		Port:  onlyPort(tcpPorts(container)),
	}
}

// DefaultContainerValues is like ContainerValues for the container of a pod template that kubectl takes if none is
// named.
func DefaultContainerValues(template *node.Node) variable.Container {
	return appReader{App: App{Template: template}}.defaultContainer()
}

// tcpPorts returns the entries of a container's ports that are for TCP.
func tcpPorts(container *node.Node) []*node.Node {
	return slices.DeleteFunc(slices.Clone(node.List(container, "ports")), func(port *node.Node) bool {
		return pod.Protocol(port) != "TCP"
	})
}

// onlyPort returns the number of the only port, or of the one that is named http, or "" if neither exists.
func onlyPort(ports []*node.Node) string {
	isAnother := func(port *node.Node) bool { return portNumber(port) != portNumber(ports[0]) }
	if len(ports) > 0 && !slices.ContainsFunc(ports, isAnother) {
		return portNumber(ports[0])
	}
	if http := slices.IndexFunc(ports, isHTTP); http >= 0 {
		return portNumber(ports[http])
	}
	return ""
}

func isHTTP(port *node.Node) bool { return node.Text(port, "name") == "http" }

// portNumber returns the number of a port in decimal digits, or "" if it has none that is valid.
func portNumber(port *node.Node) string {
	number, ok := node.Int(port, "containerPort")
	if !ok || number < 1 || number > 65535 {
		return ""
	}
	return strconv.Itoa(number)
}

// lack explains why a variable of a container has no value.
func (r appReader) lack(lacking string, container *node.Node, list string) variable.Lack {
	name := node.Text(container, "name")
	lack := variable.Lack{Field: r.subject.Template.At("spec." + list)}
	if at := slices.IndexFunc(node.List(r.Read, "spec", list), func(entry *node.Node) bool {
		return node.Text(entry, "name") == name
	}); at >= 0 {
		lack.Field = schema.Path(lack.Field).Index(at).String()
	}
	what := fmt.Sprintf("container %q of the app", schema.Shown(name))
	switch lacking {
	case variable.ContainerName:
		lack.Why = "a container of the app has no name"
		lack.Remedy = "add it"
	case variable.ContainerImage:
		lack.Why = what + " has no image"
		lack.Remedy = "add it"
	default:
		lack.Field = schema.Path(lack.Field).Key("ports").String()
		lack.Why, lack.Remedy = lackOfPort(what, container)
	}
	return lack
}

func lackOfPort(what string, container *node.Node) (why, remedy string) {
	const otherwise = ", write the number in the config, exclude the workload"
	all := node.List(container, "ports")
	tcp := tcpPorts(container)
	switch {
	case len(all) == 0:
		return what + " declares no port", "declare it" + otherwise
	case len(tcp) == 0:
		return what + " declares no TCP port, only " + listedPorts(all), "declare it" + otherwise
	case len(tcp) == 1 || slices.ContainsFunc(tcp, isHTTP):
		return what + " declares its port without a valid number, " + listedPorts(tcp), "correct it" + otherwise
	}
	return what + " declares several TCP ports, " + listedPorts(tcp) + ", and none of them is named http",
		"name one of them http" + otherwise
}

// listedPorts returns ports for a message: 8080 "web", 53/UDP.
func listedPorts(ports []*node.Node) string {
	var texts []string
	for _, port := range ports[:min(len(ports), schema.MaxListed+1)] {
		text := portNumber(port)
		if text == "" {
			text = strconv.Quote(schema.Shown(node.Text(port, "containerPort")))
		}
		if protocol := pod.Protocol(port); protocol != "TCP" {
			text += "/" + schema.Shown(protocol)
		}
		if name := node.Text(port, "name"); name != "" {
			text += " " + strconv.Quote(schema.Shown(name))
		}
		texts = append(texts, text)
	}
	return schema.Listed(texts)
}

// checkContainerVariables reports variables of the app's containers in the names of the payload's containers. These
// names tell the two apart, so they cannot depend on each other.
func (c checker) checkContainerVariables() {
	for at, container := range pod.Containers(c.fields) {
		written := node.Get(container, "name")
		if text, varies := c.variables[written]; varies && text.UsesContainer() {
			c.Malformf(schema.InSpec(at.List).Index(at.Index).Key("name"), written.Value,
				"the name of a container cannot depend on the app's "+
					"containers, because names tell these from sidecars; write a fixed name, or use ${workload.name}")
		}
	}
}
