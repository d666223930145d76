package injector

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/meter"
	"pillion.dev/pillion/internal/pod"
	"pillion.dev/pillion/internal/variable"
	"pillion.dev/pillion/internal/yaml/node"
)

// expander replaces the variables of a declaration by the values of one pod.
type expander struct {
	declaration
	subject  Subject
	values   variable.Subject // with those of the app's default container
	findings []finding.Finding
	reported map[string]bool // the messages

	containers []appContainer // of the app, if variables refer to them
	targets    []target       // of the expanded entries of appContainers, by index
}

// maxUnset bounds the findings about one pod, because it may have thousands of containers.
const maxUnset = 20

// expand returns a node with the values of its variables.
func (e *expander) expand(n *yaml.Node, values variable.Subject) *yaml.Node {
	return e.variables.expand(n, values, func(at path, missing *variable.Unset) {
		if message := missing.Message(); !e.reported[message] && len(e.findings) < maxUnset {
			e.reported[message] = true
			e.findings = append(e.findings, e.subject.unset(at, missing))
		}
	})
}

// target is what an expanded entry of appContainers is for.
type target struct {
	rule      int // the entry as it was written
	isForOne  bool
	container string // if it is for one
}

// expandEach returns the list of appContainers with an entry for each container that an entry refers to.
func (e *expander) expandEach(list *yaml.Node) *yaml.Node {
	expanded := &yaml.Node{Kind: list.Kind, Style: list.Style, Tag: list.Tag}
	for n, entry := range list.Content {
		rule := AppContainers{Names: e.spec.AppContainers[n].Containers, IncludeInit: e.spec.AppContainers[n].IncludeInit}
		if !e.variables.usesContainer(entry) {
			expanded.Content = append(expanded.Content, e.expand(entry, e.values))
			e.targets = append(e.targets, target{rule: n})
			continue
		}
		e.subject.Room.Charge(len(rule.Names) * len(e.containers) * meter.PerValue)
		for _, c := range e.containers {
			if len(e.findings) >= maxUnset {
				return expanded
			}
			if c.isInit && !rule.IncludeInit || !rule.For(c.values.Name) {
				continue
			}
			values := e.values
			values.Container = c.values
			made := e.expand(entry, values)
			if !e.subject.Room.Take(node.Weight(made)) {
				at := e.subject.Template.At("spec")
				e.findings = append(e.findings, e.subject.refuse(finding.LimitExceeded, at, "", e.subject.Room.Problem()))
				return expanded
			}
			expanded.Content = append(expanded.Content, made)
			e.targets = append(e.targets, target{rule: n, isForOne: true, container: c.values.Name})
		}
	}
	return expanded
}

// usesContainer reports whether a node has a variable of a container.
func (vs variables) usesContainer(n *yaml.Node) bool {
	return vs[n].UsesContainer() || slices.ContainsFunc(n.Content, vs.usesContainer)
}

// asWritten returns the message of a finding about an expanded declaration, with the path that the field has in the config.
func (e *expander) asWritten(f finding.Finding) string {
	if f.Field == nil {
		return f.Message
	}
	for n, t := range e.targets {
		at := e.at("appContainers").index(n)
		if rest, found := strings.CutPrefix(f.Message, at.String()); found && path(f.Field.Path).within(at) {
			message := e.at("appContainers").index(t.rule).String() + rest
			if t.isForOne {
				message = fmt.Sprintf("for container %q: %s", clip(t.container, maxShown), message)
			}
			return message
		}
	}
	return f.Message
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
