// Package check looks at a pod template as a whole after an injection, before the cluster
// does. What the injection made wrong is a finding; what was wrong before is not.
package check

import (
	"fmt"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/podtemplate"
	"pillion.dev/pillion/internal/yaml/node"
)

// Workload is what the rules need to know of the workload that a pod template stands in.
type Workload struct {
	Kind podtemplate.Kind
	// Claims are the names of a StatefulSet's volumeClaimTemplates, which are volumes, too.
	Claims []string
}

// Whole holds the pod after an injection against the pod before it, by the API server's rules. They
// are listed in docs/api-rules.md.
func Whole(before, after podtemplate.Template, of Workload) []finding.Finding {
	wrong := look(after, of, before.Spec())
	if len(wrong) == 0 {
		return nil
	}
	was := count(look(before, of, nil)) // only now: most pods have nothing to forgive
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
	Workload
	containers  []container
	volumes     []*yaml.Node
	sameVolumes bool // those of the other version are all here as they are
	byName      map[string]*yaml.Node
	problems    []problem
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

// whole is the pod itself, as far as it has the fields of a container.
func (p *pod) whole() container { return container{Node: p.Spec(), name: "the pod"} }

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
func look(template podtemplate.Template, of Workload, other *yaml.Node) []problem {
	p := &pod{Template: template, Workload: of}
	p.containers, p.volumes = containersOf(template.Spec(), other), node.List(template.Spec(), "volumes")
	theirs := node.List(other, "volumes")
	front, back := node.Shared(theirs, p.volumes)
	p.sameVolumes = other != nil && front+back >= len(theirs)
	for _, rule := range podRules {
		rule(p)
	}
	for i := front; i < len(p.volumes)-back; i++ {
		p.source(i)
	}
	for _, c := range p.containers {
		if c.same {
			continue
		}
		p.mountPaths(c)
		p.env(c)
		for _, rule := range containerRules {
			rule(p, c)
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
			c := newContainer(entry, list)
			c.index, c.same = i, i < front || i >= len(entries)-back
			all = append(all, c)
		}
	}
	return all
}

func newContainer(body *yaml.Node, list string) container {
	return container{
		Node: body, list: list, name: node.Text(body, "name"),
		runs: list == "containers" || node.Text(body, "restartPolicy") == "Always",
	}
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
