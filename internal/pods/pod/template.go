package pod

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pillion.dev/pillion/internal/text/spelling"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// Template is one pod template of a workload.
type Template struct {
	// Path leads from the workload to the template, or to a bare pod spec, with indexes of lists. It is empty for a Pod.
	Path string
	// Node is the mapping that holds the pod's metadata and spec, or nil if it is missing.
	Node *node.Node
	// Broken is why nothing can be put into the template.
	Broken error
	// IsBare is whether it stands for a bare pod spec.
	IsBare bool

	index   int // of a bare one, among those of the workload
	missing bool
}

// Spec returns the pod spec, for reading.
func (t Template) Spec() *node.Node { return node.Get(t.Node, "spec") }

// At returns the path of a field of the template, from the workload on. The metadata of a bare pod spec is that of the
// workload.
func (t Template) At(field string) string {
	if !t.IsBare {
		return node.Join(t.Path, field)
	}
	if inSpec, isInSpec := strings.CutPrefix(field, "spec"); isInSpec {
		return t.Path + inSpec
	}
	return field
}

// Templates returns the pod templates of a workload. A template that is missing, or whose content cannot be worked on,
// is broken. It is returned nevertheless, because it matters only to injectors that select it.
func (k Kind) Templates(workload *node.Node) []Template {
	workload = k.Wrapped(workload)
	var templates []Template
	for i, path := range k.Paths {
		first := len(templates)
		templates = walk(templates, workload, path, 0)
		if k.Optional || i > 0 { // a config may declare several
			found := slices.DeleteFunc(templates[first:], func(t Template) bool { return t.missing })
			templates = templates[:first+len(found)]
		}
	}
	for i, spec := range k.bareSpecs(workload) {
		spec.IsBare = true
		spec.index = i
		spec.Node = spec.in(workload)
		templates = append(templates, spec.Template)
	}
	for i, t := range templates {
		if t.Broken == nil {
			templates[i].Broken = t.check()
		}
	}
	return templates
}

func (t Template) check() error {
	spec := t.Spec()
	if !isKind(spec, node.MappingNode) {
		return wrongKind(spec, node.MappingNode, t.At("spec"))
	}
	if metadata := node.Get(t.Node, "metadata"); !node.IsNull(metadata) && !isKind(metadata, node.MappingNode) {
		return wrongKind(metadata, node.MappingNode, t.At("metadata"))
	}
	for _, list := range []string{Main, Init, "volumes", "imagePullSecrets"} { // on which injections work
		if err := t.checkEntries(node.Get(spec, list), list); err != nil {
			return err
		}
	}
	if count := CountContainers(spec); count > MaxContainers {
		return fmt.Errorf("%s has %d containers, and at most %d are read, as no cluster stores more in a pod; split it",
			t.At("spec"), count, MaxContainers)
	}
	if err := t.checkNames(ContainerLists[:]...); err != nil {
		return err
	}
	return t.checkNames("volumes")
}

// checkNames makes sure that no name occurs twice in some lists of the pod spec: entries are found by their names.
func (t Template) checkNames(lists ...string) error {
	first := map[string]Position{}
	for _, list := range lists {
		for i, entry := range node.List(t.Spec(), list) {
			name, at := node.Text(entry, "name"), Position{List: list, Index: i}
			if other, again := first[name]; again && name != "" {
				return fmt.Errorf("%s and %s are both called %q, which the API server refuses; rename one of them",
					t.At("spec."+other.String()), t.At("spec."+at.String()), node.Brief(node.String(name)))
			}
			first[name] = at
		}
	}
	return nil
}

// checkEntries makes sure that a list of the pod spec is one of mappings.
func (t Template) checkEntries(list *node.Node, name string) error {
	if node.IsNull(list) {
		return nil
	}
	if !isKind(list, node.SequenceNode) {
		return wrongKind(list, node.SequenceNode, t.At("spec."+name))
	}
	for i, entry := range list.Content {
		if !isKind(entry, node.MappingNode) {
			return wrongKind(entry, node.MappingNode, t.At("spec."+Position{List: name, Index: i}.String()))
		}
	}
	return nil
}

func isKind(n *node.Node, kind node.Kind) bool {
	n = node.Resolve(n)
	return n != nil && n.Kind == kind
}

// wrongKind reports a node that is not of the kind that it must be.
func wrongKind(n *node.Node, kind node.Kind, path string) error {
	what := "a mapping"
	if kind == node.SequenceNode {
		what = "a list"
	}
	if node.IsNull(n) {
		return fmt.Errorf("%s is missing: it must be %s", path, what)
	}
	return fmt.Errorf("%s must be %s, but is %s", path, what, node.Describe(n))
}

// walk follows a path from an index on, where a node is, and adds the templates that it leads to. A step that ends in
// [] leads to every entry of a list, and the step * to every field.
func walk(templates []Template, at *node.Node, path string, start int) []Template {
	if start >= len(path) {
		return append(templates, Template{Path: path, Node: at})
	}
	step, _, _ := strings.Cut(path[start:], ".")
	if step == "*" {
		for name := range node.Fields(at) {
			if isFieldName(name) {
				templates = walk(templates, at, path[:start]+name+path[start+len(step):], start)
			}
		}
		return templates
	}
	name, isList := strings.CutSuffix(step, "[]")
	here, kind := path[:start+len(name)], node.MappingNode
	if isList {
		kind = node.SequenceNode
	}
	next := node.Get(at, name)
	switch {
	case node.IsNull(next):
		missing := fmt.Errorf("%s is missing: the pod template belongs there", here)
		if near := spelling.Nearest(name, node.Keys(at)); near != "" {
			missing = fmt.Errorf("%s is missing, and %s is probably meant to be it; rename it", here, near)
		}
		return append(templates, Template{Path: here, missing: true, Broken: missing})
	case !isKind(next, kind):
		return append(templates, Template{Path: here, Broken: wrongKind(next, kind, here)})
	case !isList:
		return walk(templates, next, path, start+len(step)+len("."))
	}
	for i, entry := range next.Content {
		inside := here + "[" + strconv.Itoa(i) + "]"
		if isKind(entry, node.MappingNode) {
			templates = walk(templates, node.Resolve(entry), inside+path[start+len(step):], len(inside)+len("."))
		} else {
			templates = append(templates, Template{Path: inside, Broken: wrongKind(entry, node.MappingNode, inside)})
		}
	}
	return templates
}

// ClaimTemplates returns the names of the volumes that the volumeClaimTemplates of a StatefulSet create.
func ClaimTemplates(workload *node.Node) (names []string) {
	for _, claim := range node.List(workload, "spec", "volumeClaimTemplates") {
		names = append(names, node.Text(claim, "metadata", "name"))
	}
	return names
}

// MaxContainers is how many containers a pod may have, in all of its lists. The store of a cluster takes 1.5 MiB for a
// pod, in which each container has about 500 bytes at least: its fields with their defaults, who manages them, and its
// status with the ids of container and image.
const MaxContainers = 4_000

// MaxAnnotationBytes is how much Kubernetes allows for all annotations of an object together.
const MaxAnnotationBytes = 256 << 10
