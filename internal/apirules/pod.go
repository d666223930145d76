package apirules

import (
	"fmt"
	"strconv"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/pod"
	"pillion.dev/pillion/internal/podtemplate"
	"pillion.dev/pillion/internal/yaml/node"
)

// Workload holds what the rules use of a pod template's workload.
type Workload struct {
	Kind podtemplate.Kind
	// Claims are the names of a StatefulSet's volumeClaimTemplates, which are volumes, too.
	Claims []string
	// Valid are containers that need not be checked by themselves.
	Valid Valid
}

// checkedPod is a pod template, and the rules that it was found to break.
type checkedPod struct {
	podtemplate.Template
	Workload
	spec        *yaml.Node
	containers  []container
	volumes     []*yaml.Node
	front, back int  // how many volumes at the front and at the back are the same nodes in the other version
	sameVolumes bool // all volumes of the other version are among them
	sameFields  bool // the other fields of the spec are the same in the other version, except for containers
	samePorts   bool // the containers of the other version are the same, and those that were added to them have no ports
	byName      map[string]*yaml.Node
	violations  []Violation
}

// container is an entry of containers or initContainers. The pod itself is one without a list, because some of its
// fields are a container's, too.
type container struct {
	*yaml.Node
	name  string
	list  string
	index int
	runs  bool // while the other containers do: it is not an init container that ends
	same  bool // it is the same node in the other version
}

func newPod(template podtemplate.Template, of Workload, other *yaml.Node) *checkedPod {
	spec := template.Spec()
	p := &checkedPod{Template: template, Workload: of, spec: spec, volumes: node.List(spec, "volumes")}
	otherVolumes := node.List(other, "volumes")
	p.front, p.back = node.Shared(otherVolumes, p.volumes)
	p.sameVolumes = other != nil && p.front+p.back >= len(otherVolumes)
	p.sameFields, p.samePorts = sameFields(spec, other), other != nil
	p.containers = make([]container, 0, len(node.List(spec, pod.Main))+len(node.List(spec, pod.Init)))
	for _, list := range pod.ContainerLists {
		p.addContainers(list, node.List(other, list))
	}
	return p
}

// addContainers adds the containers of a list, given those of the other version.
func (p *checkedPod) addContainers(list string, others []*yaml.Node) {
	entries := node.List(p.spec, list)
	front, back := node.Shared(others, entries)
	p.samePorts = p.samePorts && front+back >= len(others)
	for i, entry := range entries {
		c := newContainer(entry, list)
		c.index, c.same = i, i < front || i >= len(entries)-back
		p.samePorts = p.samePorts && (c.same || len(node.List(entry, "ports")) == 0)
		p.containers = append(p.containers, c)
	}
}

// sameFields reports whether two versions of a spec have the same nodes, in the same order, except for containers and volumes.
func sameFields(a, b *yaml.Node) bool {
	if a == nil || b == nil || a.Kind != yaml.MappingNode || b.Kind != yaml.MappingNode {
		return false
	}
	for i, j := 0, 0; ; i, j = i+2, j+2 {
		i, j = nextField(a, i), nextField(b, j)
		if i >= len(a.Content) || j >= len(b.Content) {
			return i >= len(a.Content) && j >= len(b.Content)
		}
		if a.Content[i] != b.Content[j] || a.Content[i+1] != b.Content[j+1] {
			return false
		}
	}
}

// nextField returns the index of the next key that is not for containers or volumes, from an index on.
func nextField(spec *yaml.Node, i int) int {
	for ; i < len(spec.Content); i += 2 {
		switch spec.Content[i].Value {
		case pod.Main, pod.Init, "volumes":
		default:
			return i
		}
	}
	return i
}

func newContainer(body *yaml.Node, list string) container {
	return container{Node: body, list: list, name: node.Text(body, "name"), runs: pod.Runs(list, body)}
}

// Spec returns the pod spec, which nearly all rules read.
func (p *checkedPod) Spec() *yaml.Node { return p.spec }

// whole returns the pod itself as a container.
func (p *checkedPod) whole() container { return container{Node: p.Spec(), name: "the pod"} }

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
	p.violations = append(p.violations, Violation{
		Key:     string(code) + " " + key,
		Finding: finding.Finding{Severity: finding.Error, Code: code, Message: message, Field: &finding.Field{Path: path}},
	})
}

// isSet reports whether a field has a value. An empty mapping is one.
func isSet(n *yaml.Node, path ...string) bool { return !node.IsNull(node.Get(n, path...)) }
