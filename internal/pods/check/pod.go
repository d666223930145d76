package check

import (
	"fmt"
	"strconv"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// Workload holds what the rules use of a pod template's workload.
type Workload struct {
	Kind pod.Kind
	// Claims are the names of a StatefulSet's volumeClaimTemplates, which are volumes, too.
	Claims []string
	// Valid are containers that need not be checked by themselves.
	Valid Valid
}

// checkedPod is a pod template, and the rules that it was found to break.
type checkedPod struct {
	pod.Template
	Workload
	spec         *node.Node
	containers   []container
	volumes      []*node.Node
	byName       map[string]*node.Node
	keepsVolumes bool // has all volumes of the other version
	violations   []violation
}

// container is an entry of containers or initContainers. The pod itself is one without a list, because some of its
// fields are a container's, too.
type container struct {
	*node.Node
	name  string
	list  string
	index int
	runs  bool // while the other containers do: it is not an init container that ends
	same  bool // it is the same node in the other version
}

// read makes a pod template the one that is checked. The memory of the last one is used again.
func (p *checkedPod) read(template pod.Template, of Workload, other *node.Node) {
	spec := template.Spec()
	*p = checkedPod{Template: template, Workload: of, spec: spec, volumes: node.List(spec, "volumes"), containers: p.containers[:0]}
	others := node.List(other, "volumes")
	front, back := node.Shared(others, p.volumes)
	p.keepsVolumes = other != nil && front+back >= len(others)
	for _, list := range pod.ContainerLists {
		entries := node.List(spec, list)
		front, back := node.Shared(node.List(other, list), entries)
		for i, entry := range entries {
			c := newContainer(entry, list)
			c.index, c.same = i, i < front || i >= len(entries)-back
			p.containers = append(p.containers, c)
		}
	}
}

func newContainer(body *node.Node, list string) container {
	return container{Node: body, list: list, name: node.Text(body, "name"), runs: pod.Runs(list, body)}
}

// whole returns the pod itself as a container.
func (p *checkedPod) whole() container { return container{Node: p.spec, name: "the pod"} }

// String returns how messages name a container, or the pod itself.
func (c container) String() string {
	if c.list == "" {
		return c.name
	}
	return "container " + strconv.Quote(c.name)
}

// path returns the path of a container's field.
func (p *checkedPod) path(c container, field string) string {
	if c.list == "" {
		return p.At("spec." + field)
	}
	return p.At("spec." + entry(c.list, c.index) + "." + field)
}

// entry returns the path of an entry within a list.
func entry(list string, index int) string { return list + "[" + strconv.Itoa(index) + "]" }

// report adds a violation by a container. The message begins with the container.
func (p *checkedPod) report(c container, code finding.Code, key, field, format string, args ...any) {
	p.add(code, c.String()+" "+key, p.path(c, field), c.String()+" "+fmt.Sprintf(format, args...))
}

// reportPod adds a violation by the pod as a whole. The message begins with "the pod".
func (p *checkedPod) reportPod(key, field, format string, args ...any) {
	p.report(p.whole(), finding.InvalidPod, key, field, format, args...)
}

func (p *checkedPod) add(code finding.Code, key, path, message string) {
	p.violations = append(p.violations, violation{
		Key:     string(code) + " " + key,
		Finding: finding.Finding{Severity: finding.Error, Code: code, Message: message, Field: &finding.Field{Path: path}},
	})
}

// isSet reports whether a field has a value. An empty mapping is one.
func isSet(n *node.Node, path ...string) bool { return !node.IsNull(node.Get(n, path...)) }
