package podtemplate

import (
	"fmt"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/node"
)

// Template is one pod template of a workload.
type Template struct {
	// Path leads from the workload to the template, with indexes of lists. It is empty for a Pod.
	Path string
	// Node is the mapping that holds the pod's metadata and spec, or nil if it is missing.
	Node *yaml.Node
	// Broken is why nothing can be put into the template.
	Broken error

	missing bool
}

// Spec returns the pod spec, for reading.
func (t Template) Spec() *yaml.Node { return node.Get(t.Node, "spec") }

// At returns the path of a field of the template, from the workload on.
func (t Template) At(field string) string {
	if t.Path == "" {
		return field
	}
	return t.Path + "." + field
}

// Templates returns the pod templates of a workload. A template that is missing, or whose content cannot be worked on, is broken.
// It is returned nevertheless, because it matters only to injectors that select it.
func (k Kind) Templates(workload *yaml.Node) []Template {
	var templates []Template
	for i, path := range k.Paths {
		for _, t := range walk(workload, strings.Split(path, "."), "") {
			optional := k.Optional || i > 0 // a path that a config adds to a kind may be missing
			if !t.missing || !optional {
				templates = append(templates, t)
			}
		}
	}
	for i, t := range templates {
		if t.Broken == nil {
			templates[i].Broken = t.check()
		}
	}
	return templates
}

func (t Template) check() error {
	if err := mustBe(yaml.MappingNode, t.Spec(), t.At("spec")); err != nil {
		return err
	}
	if metadata := node.Get(t.Node, "metadata"); !node.IsNull(metadata) {
		if err := mustBe(yaml.MappingNode, metadata, t.At("metadata")); err != nil {
			return err
		}
	}
	for _, list := range []string{"containers", "initContainers", "volumes", "imagePullSecrets"} {
		if err := checkEntries(node.Get(t.Spec(), list), t.At("spec."+list)); err != nil {
			return err
		}
	}
	return nil
}

// checkEntries makes sure that a list is one of mappings.
func checkEntries(list *yaml.Node, path string) error {
	if node.IsNull(list) {
		return nil
	}
	if err := mustBe(yaml.SequenceNode, list, path); err != nil {
		return err
	}
	for i, entry := range list.Content {
		if err := mustBe(yaml.MappingNode, entry, path+"["+strconv.Itoa(i)+"]"); err != nil {
			return err
		}
	}
	return nil
}

func mustBe(kind yaml.Kind, n *yaml.Node, path string) error {
	what := "a mapping"
	if kind == yaml.SequenceNode {
		what = "a list"
	}
	switch n := node.Resolve(n); {
	case node.IsNull(n):
		return fmt.Errorf("%s is missing: it must be %s", path, what)
	case n.Kind != kind:
		return fmt.Errorf("%s must be %s, but is %s", path, what, node.Describe(n))
	}
	return nil
}

// walk follows the steps of a path. A step that ends in [] leads to every entry of a list.
func walk(from *yaml.Node, steps []string, path string) []Template {
	if steps[0] == "" {
		return []Template{{Path: path, Node: from}}
	}
	name, isList := strings.CutSuffix(steps[0], "[]")
	path = strings.TrimPrefix(path+"."+name, ".")
	next := node.Get(from, name)
	if node.IsNull(next) {
		return []Template{{Path: path, missing: true, Broken: fmt.Errorf("%s is missing: the pod template belongs there", path)}}
	}
	if !isList {
		return step(next, steps[1:], path)
	}
	if err := mustBe(yaml.SequenceNode, next, path); err != nil {
		return []Template{{Path: path, Broken: err}}
	}
	var templates []Template
	for i, entry := range next.Content {
		templates = append(templates, step(node.Resolve(entry), steps[1:], path+"["+strconv.Itoa(i)+"]")...)
	}
	return templates
}

func step(to *yaml.Node, rest []string, path string) []Template {
	if err := mustBe(yaml.MappingNode, to, path); err != nil {
		return []Template{{Path: path, Broken: err}}
	}
	if len(rest) == 0 {
		return []Template{{Path: path, Node: to}}
	}
	return walk(to, rest, path)
}

// ClaimTemplates returns the names of the volumes that the volumeClaimTemplates of a StatefulSet create.
func ClaimTemplates(workload *yaml.Node) []string {
	claims := node.List(workload, "spec", "volumeClaimTemplates")
	names := make([]string, len(claims))
	for i, claim := range claims {
		names[i] = node.Text(claim, "metadata", "name")
	}
	return names
}

// MaxAnnotationBytes is how much Kubernetes allows for all annotations of an object together.
const MaxAnnotationBytes = 256 << 10
