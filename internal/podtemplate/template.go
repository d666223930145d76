package podtemplate

import (
	"fmt"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/node"
)

// Template is one pod template of a workload.
type Template struct {
	// Path leads from the workload to the template, indexes filled in; empty for a Pod.
	Path string
	// Node is the mapping that holds the pod's metadata and spec.
	Node *yaml.Node
}

// Spec is the pod spec, for reading.
func (t Template) Spec() *yaml.Node { return node.Get(t.Node, "spec") }

// At is the path of a field inside the template, from the workload on.
func (t Template) At(field string) string {
	if t.Path == "" {
		return field
	}
	return t.Path + "." + field
}

// Templates finds the pod templates of a workload. An error names a template that must be
// there, or whose pod spec is missing or not a mapping.
func (k Kind) Templates(workload *yaml.Node) ([]Template, error) {
	var templates []Template
	for _, path := range k.Paths {
		found, err := walk(workload, strings.Split(path, "."), "")
		if err != nil {
			return nil, err
		}
		if len(found) == 0 && !k.Optional {
			return nil, fmt.Errorf("%s is missing: write the pod template there", strings.TrimSuffix(path, "[]"))
		}
		templates = append(templates, found...)
	}
	for _, t := range templates {
		if err := t.check(); err != nil {
			return nil, err
		}
	}
	return templates, nil
}

func (t Template) check() error {
	switch spec := t.Spec(); {
	case node.IsNull(spec):
		return fmt.Errorf("%s is missing: a pod template needs a pod spec", t.At("spec"))
	case spec.Kind != yaml.MappingNode:
		return fmt.Errorf("%s must be a mapping, but is %s", t.At("spec"), node.Describe(spec))
	}
	if metadata := node.Get(t.Node, "metadata"); !node.IsNull(metadata) && metadata.Kind != yaml.MappingNode {
		return fmt.Errorf("%s must be a mapping, but is %s", t.At("metadata"), node.Describe(metadata))
	}
	for _, list := range []string{"containers", "initContainers", "volumes", "imagePullSecrets"} {
		if err := checkEntries(node.Get(t.Spec(), list), t.At("spec."+list)); err != nil {
			return err
		}
	}
	return nil
}

// checkEntries makes sure that a list that sidecars are merged into is a list of mappings.
func checkEntries(list *yaml.Node, path string) error {
	if node.IsNull(list) {
		return nil
	}
	if list.Kind != yaml.SequenceNode {
		return fmt.Errorf("%s must be a list, but is %s", path, node.Describe(list))
	}
	for i, entry := range list.Content {
		if entry := node.Resolve(entry); entry.Kind != yaml.MappingNode {
			return fmt.Errorf("%s[%d] must be a mapping, but is %s", path, i, node.Describe(entry))
		}
	}
	return nil
}

// walk follows the steps of a path and spreads over lists where a step ends in [].
func walk(from *yaml.Node, steps []string, path string) ([]Template, error) {
	if len(steps) == 0 || steps[0] == "" {
		return []Template{{Path: path, Node: from}}, nil
	}
	name, isList := strings.CutSuffix(steps[0], "[]")
	path = strings.TrimPrefix(path+"."+name, ".")
	next := node.Get(from, name)
	if node.IsNull(next) {
		return nil, nil
	}
	if !isList {
		if next.Kind != yaml.MappingNode {
			return nil, fmt.Errorf("%s must be a mapping, but is %s", path, node.Describe(next))
		}
		return walk(next, steps[1:], path)
	}
	if next.Kind != yaml.SequenceNode {
		return nil, fmt.Errorf("%s must be a list, but is %s", path, node.Describe(next))
	}
	var templates []Template
	for i, entry := range next.Content {
		at := path + "[" + strconv.Itoa(i) + "]"
		entry := node.Resolve(entry)
		if entry.Kind != yaml.MappingNode {
			return nil, fmt.Errorf("%s must be a mapping, but is %s", at, node.Describe(entry))
		}
		found, err := walk(entry, steps[1:], at)
		if err != nil {
			return nil, err
		}
		templates = append(templates, found...)
	}
	return templates, nil
}
