package podtemplate

import (
	"strconv"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"

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

// referenceFields are the fields in which kustomize updates the names of objects, by the kind of the object.
var referenceFields = sync.OnceValue(func() *referenceStep {
	return fieldsByKind(map[string][]string{
		"ConfigMap": {
			"volumes[].configMap.name", "volumes[].projected.sources[].configMap.name",
			"containers[].env[].valueFrom.configMapKeyRef.name", "containers[].envFrom[].configMapRef.name",
			"initContainers[].env[].valueFrom.configMapKeyRef.name", "initContainers[].envFrom[].configMapRef.name",
		},
		"Secret": {
			"volumes[].secret.secretName", "volumes[].projected.sources[].secret.name",
			"containers[].env[].valueFrom.secretKeyRef.name", "containers[].envFrom[].secretRef.name",
			"initContainers[].env[].valueFrom.secretKeyRef.name", "initContainers[].envFrom[].secretRef.name",
			"imagePullSecrets[].name",
		},
		"PersistentVolumeClaim": {"volumes[].persistentVolumeClaim.claimName"},
		"ServiceAccount":        {"serviceAccountName"},
		"PriorityClass":         {"priorityClassName"},
	})
})

// referenceStep is a field on the way to references, with the fields below it.
type referenceStep struct {
	name   string
	isList bool
	kind   string // the kind of the object, if the field holds its name
	below  []*referenceStep
}

// fieldsByKind returns the tree of the fields, so that each list is read once.
func fieldsByKind(paths map[string][]string) *referenceStep {
	root := &referenceStep{}
	for kind, all := range paths {
		for _, path := range all {
			at := root
			for step := range strings.SplitSeq(path, ".") {
				at = at.child(step)
			}
			at.kind = kind
		}
	}
	return root
}

func (s *referenceStep) child(step string) *referenceStep {
	name, isList := strings.CutSuffix(step, "[]")
	for _, known := range s.below {
		if known.name == name {
			return known
		}
	}
	s.below = append(s.below, &referenceStep{name: name, isList: isList})
	return s.below[len(s.below)-1]
}

// References returns the references of a pod spec, in the order of the text. It leaves out those in aliases and merge keys, which
// other places may share.
func References(spec *yaml.Node) []Reference {
	var all []Reference
	referenceFields().find(spec, nil, func(r Reference) { all = append(all, r) })
	return all
}

func (s *referenceStep) find(in *yaml.Node, above []Step, found func(Reference)) {
	if in == nil || in.Kind != yaml.MappingNode {
		return
	}
	for i := 0; i+1 < len(in.Content); i += 2 {
		for _, step := range s.below {
			if step.name == in.Content[i].Value {
				value := in.Content[i+1]
				step.visit(value, append(above[:len(above):len(above)], Step{step.name, value, i + 1}), found)
			}
		}
	}
}

func (s *referenceStep) visit(value *yaml.Node, steps []Step, found func(Reference)) {
	switch {
	case s.kind != "":
		if value.Kind == yaml.ScalarNode && value.Value != "" {
			found(Reference{s.kind, value, steps})
		}
	case !s.isList:
		s.find(value, steps, found)
	case value.Kind == yaml.SequenceNode:
		for i, entry := range value.Content {
			s.find(entry, append(steps[:len(steps):len(steps)], Step{"", entry, i}), found)
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
