package injector

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/api/v1alpha1"
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
	app      appReader        // if the variables are also those of the app's containers
	findings []finding.Finding
	reported map[string]bool // the messages
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

// perContainer is how the entries of appContainers that refer to a container were expanded: there is one for each container.
type perContainer struct {
	rules   []AppContainers          // as they were written, without what is added
	spec    []v1alpha1.AppContainers // the same in the types
	targets []target                 // of the expanded entries, by index
}

// target is what an expanded entry is for.
type target struct {
	rule      int // the entry as it was written
	isForOne  bool
	container string // if it is for one
}

// expandEach returns the list of appContainers with an entry for each container that an entry refers to.
func (e *expander) expandEach(list *yaml.Node) *yaml.Node {
	expanded := &yaml.Node{Kind: list.Kind, Style: list.Style, Tag: list.Tag}
	e.perContainer = &perContainer{spec: e.spec.AppContainers}
	containers := e.app.containers()
	for n, entry := range list.Content {
		rule := AppContainers{Names: e.spec.AppContainers[n].Containers, IncludeInit: e.spec.AppContainers[n].IncludeInit}
		e.perContainer.rules = append(e.perContainer.rules, rule)
		if !e.variables.usesContainer(entry) {
			expanded.Content = append(expanded.Content, e.expand(entry, e.values))
			e.perContainer.targets = append(e.perContainer.targets, target{rule: n})
			continue
		}
		e.subject.Room.Charge(len(rule.Names) * len(containers) * meter.PerValue)
		for _, c := range containers {
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
			e.perContainer.targets = append(e.perContainer.targets, target{rule: n, isForOne: true, container: c.values.Name})
		}
	}
	return expanded
}

// usesContainer reports whether a node has a variable of a container.
func (vs variables) usesContainer(n *yaml.Node) bool {
	return vs[n].UsesContainer() || slices.ContainsFunc(n.Content, vs.usesContainer)
}

// group returns the entries of appContainers as they were written, with what each container gets.
func (e *perContainer) group(expanded []AppContainers) []AppContainers {
	rules := slices.Clone(e.rules)
	for i := range rules {
		rules[i].byName = map[string]int{}
	}
	for n, t := range e.targets {
		rule := &rules[t.rule]
		if !t.isForOne {
			*rule = expanded[n]
			continue
		}
		rule.byName[t.container] = len(rule.each)
		rule.each = append(rule.each, expanded[n])
	}
	return rules
}

// asWritten returns the message of a finding about an expanded declaration, with the path that the field has in the config.
func (d *declaration) asWritten(f finding.Finding) string {
	if d.perContainer == nil || f.Field == nil {
		return f.Message
	}
	for n, t := range d.perContainer.targets {
		at := d.at("appContainers").index(n)
		if rest, found := strings.CutPrefix(f.Message, at.String()); found && path(f.Field.Path).within(at) {
			message := d.at("appContainers").index(t.rule).String() + rest
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
