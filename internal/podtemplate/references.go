package podtemplate

import (
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/node"
)

// Reference is a field of a pod spec that names another object.
type Reference struct {
	Kind string     // the kind of the object, such as ConfigMap
	Path string     // the field, from the pod spec on: volumes[0].configMap.name
	Node *yaml.Node // the name
}

// referenceFields are the fields in which kustomize updates the names of objects, by the kind of the object.
var referenceFields = fieldsByKind(map[string][]string{
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
	referenceFields.find(spec, "", func(r Reference) { all = append(all, r) })
	return all
}

func (s *referenceStep) find(in *yaml.Node, path string, found func(Reference)) {
	if in == nil || in.Kind != yaml.MappingNode {
		return
	}
	for i := 0; i+1 < len(in.Content); i += 2 {
		for _, step := range s.below {
			if step.name == in.Content[i].Value {
				step.visit(in.Content[i+1], strings.TrimPrefix(path+"."+step.name, "."), found)
			}
		}
	}
}

func (s *referenceStep) visit(value *yaml.Node, path string, found func(Reference)) {
	switch {
	case s.kind != "":
		if value.Kind == yaml.ScalarNode && value.Value != "" {
			found(Reference{s.kind, path, value})
		}
	case !s.isList:
		s.find(value, path, found)
	case value.Kind == yaml.SequenceNode:
		for i, entry := range value.Content {
			s.find(entry, path+"["+strconv.Itoa(i)+"]", found)
		}
	}
}

// Entry returns the name of the container or volume of a pod spec that the reference is in, or "" if it is in none.
func (r Reference) Entry(spec *yaml.Node) string {
	first, _, _ := strings.Cut(r.Path, ".")
	if strings.HasPrefix(first, "imagePullSecrets") || !strings.HasSuffix(first, "]") {
		return ""
	}
	return node.Text(see(spec, first), "name")
}

// Set puts a node in the place of the name in a pod spec, which must be safe to change and have the field.
func (r Reference) Set(spec, name *yaml.Node) {
	at := max(strings.LastIndexByte(r.Path, '.'), 0)
	node.Set(follow(spec, r.Path[:at], node.Own, node.OwnEntry), strings.TrimPrefix(r.Path[at:], "."), name)
}
