package podtemplate

import (
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/pod"
	"pillion.dev/pillion/internal/yaml/node"
)

// Reference is a field of a pod spec that names another object.
type Reference struct {
	Kind string     // the kind of the object, such as ConfigMap
	Node *yaml.Node // the name
	// Steps lead from the pod spec to the name. The last one is the name.
	Steps []Step
}

// Step leads to a value of a mapping or to an entry of a list.
type Step struct {
	Field string     // the key in the mapping; empty for an entry of a list
	Node  *yaml.Node // what it leads to
	at    int        // the index in the content of the node above
}

// References returns the references of a pod spec, in the order of the text. It leaves out those in aliases and merge keys, which
// other places may share.
func References(spec *yaml.Node) []Reference {
	var all []Reference
	findReferences(pod.Of("spec"), spec, nil, func(r Reference) { all = append(all, r) })
	return all
}

// findReferences finds the references in a value, given its row and the steps to it.
func findReferences(row *pod.Row, value *yaml.Node, steps []Step, found func(Reference)) {
	child := func(field string, at int) {
		if inside := row.Child(field); inside.RefersInside() {
			next := value.Content[at]
			findReferences(inside, next, append(steps[:len(steps):len(steps)], Step{field, next, at}), found)
		}
	}
	switch {
	case value == nil:
	case row.Refers != "":
		if value.Kind == yaml.ScalarNode && value.Value != "" {
			found(Reference{row.Refers, value, steps})
		}
	case value.Kind == yaml.MappingNode:
		for i := 0; i+1 < len(value.Content); i += 2 {
			child(value.Content[i].Value, i+1)
		}
	case value.Kind == yaml.SequenceNode:
		for i := range value.Content {
			child("", i)
		}
	}
}

// Path returns the path of the field from the pod spec on: volumes[0].configMap.name.
func (r Reference) Path() string {
	path := ""
	for _, step := range r.Steps {
		if step.Field == "" {
			path += "[" + strconv.Itoa(step.at) + "]"
			continue
		}
		path += "." + step.Field
	}
	return strings.TrimPrefix(path, ".")
}

// Entry returns the name of the container or volume that the reference is in, or "" if it is in none.
func (r Reference) Entry() string {
	if len(r.Steps) < 2 || r.Steps[0].Field == "imagePullSecrets" {
		return ""
	}
	return node.Text(r.Steps[1].Node, "name")
}

// SetNames gives references of a pod spec other names: their nodes. The spec must be safe to change, and have the fields where the
// references were found.
func SetNames(spec *yaml.Node, references []Reference) {
	owned := map[*yaml.Node]bool{} // so that no list is copied twice
	for _, r := range references {
		at := spec
		for i, step := range r.Steps {
			switch child := at.Content[step.at]; {
			case i == len(r.Steps)-1:
				at.Content[step.at] = r.Node
			case owned[child]:
				at = child
			default:
				at = node.OwnEntry(at, step.at)
				owned[at] = true
			}
		}
	}
}
