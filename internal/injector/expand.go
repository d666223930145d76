package injector

import (
	"slices"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/meter"
	"pillion.dev/pillion/internal/pod"
	"pillion.dev/pillion/internal/variable"
	"pillion.dev/pillion/internal/yaml/node"
)

// expander replaces the variables of a declaration by the values of one pod.
type expander struct {
	variables  variables
	subject    Subject
	containers []appContainer // of the app, if variables refer to them
	findings   []finding.Finding
	reported   map[string]bool // the messages
}

// maxUnset bounds the findings about one pod, because it may have thousands of containers.
const maxUnset = 20

// expand returns a node with the values of its variables.
func (e *expander) expand(n *yaml.Node, values variable.Subject) *yaml.Node {
	return e.variables.expand(n, values, func(text Text, missing *variable.Unset) {
		message := missing.Message()
		if e.reported[message] || len(e.findings) >= maxUnset {
			return
		}
		e.reported[message] = true
		field, code := missing.Field, finding.VariableUnset
		if missing.InPod {
			field = e.subject.Template.At(field)
		}
		if missing.Length > 0 {
			code = finding.VariableInvalid
		}
		e.findings = append(e.findings, e.subject.refuse(code, field, "", text.Path+": "+message))
	})
}

// expandedFor is an entry of appContainers as one container of the app gets it.
type expandedFor struct {
	container string
	entry     *yaml.Node
}

// expandEach expands the entries of appContainers. It leaves those that refer to containers as they are, and returns these for each
// container, by the index of the entry.
func (e *expander) expandEach(list *yaml.Node, rules []AppContainers, values variable.Subject) map[int][]expandedFor {
	all := map[int][]expandedFor{}
	for n, entry := range list.Content {
		if !e.variables.usesContainer(entry) {
			list.Content[n] = e.expand(entry, values)
			continue
		}
		all[n] = nil
		rule := &rules[n]
		e.subject.Room.Charge(len(rule.Names) * len(e.containers) * meter.PerValue)
		for _, c := range e.containers {
			if len(e.findings) >= maxUnset {
				return all
			}
			if c.isInit && !rule.IncludeInit || !rule.For(c.values.Name) {
				continue
			}
			values.Container = c.values
			made := e.expand(entry, values)
			if !e.subject.Room.Take(node.Weight(made)) {
				at := e.subject.Template.At("spec")
				e.findings = append(e.findings, e.subject.refuse(finding.LimitExceeded, at, "", e.subject.Room.Problem()))
				return all
			}
			all[n] = append(all[n], expandedFor{c.values.Name, made})
		}
	}
	return all
}

// usesContainer reports whether a node has a variable of a container.
func (vs variables) usesContainer(n *yaml.Node) bool {
	return vs[n].UsesContainer() || slices.ContainsFunc(n.Content, vs.usesContainer)
}

// checkContainerVariables reports variables of the app's containers in the names of the payload's containers. These names
// tell the two apart, so they cannot depend on each other.
func (c checker) checkContainerVariables() {
	for at, container := range pod.Containers(c.fields) {
		written := node.Get(container, "name")
		if text, varies := c.variables[written]; varies && text.UsesContainer() {
			c.malformf(c.at(at.List).index(at.Index).key("name"), written.Value, "the name of a container cannot depend on the app's "+
				"containers, because names tell these from sidecars; write a fixed name, or use ${workload.name}")
		}
	}
}
