package transformers

import (
	"fmt"
	"strconv"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/podtemplate"
	"pillion.dev/pillion/internal/yaml/node"
)

// Pod is a pod template under change, with what transformers need to know of its workload.
type Pod struct {
	podtemplate.Template

	// Finishes says that the pod is meant to end.
	Finishes bool
	// Knative says that Knative's restrictions hold.
	Knative bool
	// Partial says that an operator adds to the template, so that it may lack containers.
	Partial bool
	// ClaimTemplates are the volumes that a StatefulSet's volumeClaimTemplates bring.
	ClaimTemplates []string
	// Brought is what all injectors of the run bring; nil where there is only the one at hand.
	Brought *Brought
	// Pristine is the pod template without what any injector put into it, as far as stamps tell; nil
	// where only the names of what injectors bring are known.
	Pristine func() *yaml.Node
	// SelectorLabels are the keys of the labels that the workload's selector looks at.
	SelectorLabels []string
	// LabelsAreSelector says that the workload has no selector, so that the API server takes the
	// labels of the pod template for one.
	LabelsAreSelector bool

	changes    []string
	containers map[string]bool // those that the injector wanted and that are there
	inserted   map[string]bool // the containers that were put in
	apps       map[string]map[string]*yaml.Node
	marks      map[string]string
}

// ours notes that a container is as the injector wants it.
func (p *Pod) ours(name string) {
	if p.containers == nil {
		p.containers = map[string]bool{}
	}
	p.containers[name] = true
}

// isApps tells whether a container of that name is the app's own.
func (p *Pod) isApps(in *injector.Injector, name string) bool {
	_, brought := p.brought(in).containers[name]
	return !brought && !in.Has(name) // whose name a variable may have made
}

// brought is what injectors bring, the one at hand alone where no others are known.
func (p *Pod) brought(in *injector.Injector) *Brought {
	if p.Brought == nil {
		p.Brought = BroughtBy(in)
	}
	return p.Brought
}

// Has tells whether a container of the injector's is in the pod, as the injector wants it.
func (p *Pod) Has(container string) bool { return p.containers[container] }

// Changes are what the transformers did to the pod, in a few words each; none where it was
// as it should be.
func (p *Pod) Changes() []string { return p.changes }

func (p *Pod) note(verb, list string, entry *yaml.Node) {
	name := node.Text(entry, "name")
	p.changes = append(p.changes, fmt.Sprintf("%s %s %q", verb, singular[list], name))
	if list == containers || list == initContainers {
		p.ours(name)
	}
}

// singular names one entry of a list, for people.
var singular = map[string]string{
	containers:         "container",
	initContainers:     "init container",
	"volumes":          "volume",
	"imagePullSecrets": "imagePullSecret",
	labels:             "label",
	annotations:        "annotation",
}

// The lists that share one space of names. The last is of running pods, and never changed.
const (
	containers          = "containers"
	initContainers      = "initContainers"
	ephemeralContainers = "ephemeralContainers"
)

// entries are the entries of one of the pod spec's lists, for reading.
func (p *Pod) entries(list string) []*yaml.Node { return node.List(p.Spec(), list) }

// at is the path of an entry of one of the pod spec's lists.
func (p *Pod) at(list string, index int) string {
	return p.At("spec." + list + "[" + strconv.Itoa(index) + "]")
}

// insert puts an entry into one of the pod spec's lists, which is made where it is missing.
func (p *Pod) insert(list string, at int, entry *yaml.Node) {
	p.note("adds", list, entry)
	if list == containers {
		if p.inserted == nil {
			p.inserted = map[string]bool{}
		}
		p.inserted[node.Text(entry, "name")] = true
	}
	owned := node.Own(p.Spec(), list)
	if node.IsNull(owned) {
		node.Set(p.Spec(), list, node.Sequence(entry))
		return
	}
	node.Insert(owned, at, entry)
}

// replace puts an entry in the place of another.
func (p *Pod) replace(list string, at int, entry *yaml.Node) {
	p.note("replaces", list, entry)
	node.Own(p.Spec(), list).Content[at] = entry
}

// own is an entry of one of the pod spec's lists, safe to change in place.
func (p *Pod) own(list string, at int) *yaml.Node {
	return node.OwnEntry(node.Own(p.Spec(), list), at)
}

// named finds an entry by its name, or returns -1.
func named(entries []*yaml.Node, name string) int {
	for i, entry := range entries {
		if node.Text(entry, "name") == name {
			return i
		}
	}
	return -1
}
