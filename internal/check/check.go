// Package check looks at a pod template as a whole after an injection, before the cluster
// does. What the injection made wrong is a finding; what was wrong before is not.
package check

import (
	"fmt"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/finding"
	"pillion.dev/pillion/internal/node"
	"pillion.dev/pillion/internal/podtemplate"
)

// Whole holds the pod after an injection against the pod before it. The names of a
// StatefulSet's volumeClaimTemplates are volumes, too.
func Whole(before, after podtemplate.Template, claims []string) []finding.Finding {
	wrong := look(after, claims, before.Spec())
	if len(wrong) == 0 {
		return nil
	}
	was := count(look(before, claims, nil)) // only now: most pods have nothing to forgive
	var made []finding.Finding
	for _, p := range wrong {
		if was[p.key] > 0 {
			was[p.key]--
			continue
		}
		made = append(made, p.Finding)
	}
	return made
}

// problem is a finding with a key that does not depend on where in a list things stand, so
// that the same problem is known again in another version of the pod.
type problem struct {
	finding.Finding
	key string
}

// pod is one version of a pod template under the checks.
type pod struct {
	podtemplate.Template
	containers []container
	volumes    []*yaml.Node
	claims     []string
	problems   []problem
}

// container is a container of either list, and where it stands.
type container struct {
	*yaml.Node
	name  string
	list  string
	index int
	runs  bool // beside the others: not an init container that ends
	same  bool // in the other version, too, as it is
}

// path is where a container's field stands.
func (p *pod) path(c container, field string) string { return at(p.Template, c, field) }

func at(template podtemplate.Template, c container, field string) string {
	if c.list == "" { // the pod itself, whose resources are written as a container's
		return template.At("spec." + field)
	}
	return template.At(fmt.Sprintf("spec.%s[%d].%s", c.list, c.index, field))
}

// look finds what is wrong with a pod. What an injection did not touch stands in the other
// version as the same node, and what it says by itself is not looked at again.
func look(template podtemplate.Template, claims []string, other *yaml.Node) []problem {
	p := &pod{Template: template, claims: claims, containers: containersOf(template.Spec(), other), volumes: node.List(template.Spec(), "volumes")}
	p.names()
	p.ports()
	p.mountedVolumes()
	front, back := node.Shared(node.List(other, "volumes"), p.volumes)
	for i := front; i < len(p.volumes)-back; i++ {
		p.source(i)
	}
	p.resources(container{Node: template.Spec(), name: "the pod"})
	for _, c := range p.containers {
		if !c.same {
			p.mountPaths(c)
			p.env(c)
			p.resources(c)
		}
	}
	return p.problems
}

func containersOf(spec, other *yaml.Node) []container {
	var all []container
	for _, list := range []string{"containers", "initContainers"} {
		entries := node.List(spec, list)
		front, back := node.Shared(node.List(other, list), entries)
		for i, entry := range entries {
			all = append(all, container{
				Node: entry, list: list, index: i,
				name: node.Text(entry, "name"),
				runs: list == "containers" || node.Text(entry, "restartPolicy") == "Always",
				same: i < front || i >= len(entries)-back,
			})
		}
	}
	return all
}

func (p *pod) wrong(code finding.Code, key, path, format string, args ...any) {
	p.problems = append(p.problems, problem{
		key: string(code) + " " + key,
		Finding: finding.Finding{
			Severity: finding.Error, Code: code,
			Message: fmt.Sprintf(format, args...),
			Field:   &finding.Field{Path: path},
		},
	})
}
