package transformers

import (
	"bytes"
	"errors"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
	"pillion.dev/pillion/internal/text/yaml/read"
)

// Pod is a pod template that an injector changes. The zero value is an empty pod template, and NewPod reads one from
// YAML, to test a Transformer without a run.
type Pod struct {
	// Path leads from the workload to the pod template, such as spec.template. It is empty for a Pod. If the workload
	// has a pod spec without a template, Path leads to that, and the pod's metadata is that of the workload.
	Path string
	// Object is the workload.
	Object finding.Object
	// Injector has the name and the spec of the injector that is being applied, with its defaults, with its variables
	// replaced, and with the values that annotations of the pod override. Its lists and maps are shared: do not change
	// them.
	Injector v1alpha1.SidecarInjector
	// Finishes is set if the pod is meant to end, like that of a Job.
	Finishes bool

	isBare bool       // whether it stands for a pod spec without a template
	root   *node.Node // the mapping with the pod's metadata and spec; most of its nodes are shared with the original text
}

// NewPod returns the pod template that a text holds in YAML or JSON: a mapping with metadata and spec, both of which
// may be missing. A manifest of a Pod is one, too; that of a Deployment has one at spec.template. The error for any other
// text is a finding.
func NewPod(text []byte) (*Pod, error) {
	document := node.Node{Content: []*node.Node{node.Mapping()}} // stays if the text is empty
	err := read.Into(bytes.Clone(text), &document)
	if err == nil {
		err = checkTemplate(document.Content[0])
	}
	if err != nil {
		return nil, finding.Finding{
			Severity: finding.Error,
			Code:     finding.InvalidItem,
			Message:  "the pod template cannot be read: " + err.Error(),
		}
	}
	return &Pod{root: document.Content[0]}, nil
}

// checkTemplate returns an error if a value cannot be a pod template.
func checkTemplate(n *node.Node) error {
	kind := node.Text(n, "kind")
	switch {
	case n.Kind != node.MappingNode:
		return errors.New("it is " + node.Describe(n) + ", and must be a mapping with metadata and spec")
	case kind != "" && kind != "Pod":
		return errors.New("it is a whole " + kind + "; take its pod template, such as what is at spec.template")
	}
	return nil
}

// Get returns the value at a path in the pod template, or nil: a string, a bool, an int, a float64, a map[string]any or
// a []any. It is a copy. Without a path, it is the whole pod template. A step into a list is the key by which
// Kubernetes tells its entries apart: Get("spec", "containers", "web", "ports", "8080/TCP"). In a list without such a
// key, it is the index of the entry. Get resolves aliases and merge keys.
func (p *Pod) Get(path ...string) any { return p.template().Get(path...) }

// Set sets the value at a path, as Get finds it, and adds missing mappings on the way. It does nothing if the pod
// template has an equal value there. The value is a Go value that is written by its JSON tags, such as a string or a
// corev1.Container; it is not checked against the Kubernetes types. Set returns an error finding if something on the
// way is not a mapping, or if a list has no such entry.
func (p *Pod) Set(value any, path ...string) []finding.Finding {
	return p.template().Set(value, path...)
}

// Append adds an entry to the list at a path, as Get finds it, and adds the list and mappings on the way if they are
// missing. It does nothing if the list has an equal entry, and returns an error finding if it has a different one of
// the same key. The value is as for Set.
func (p *Pod) Append(value any, path ...string) []finding.Finding {
	return p.template().Append(value, path...)
}

// At returns the path of a field of the pod template from the workload on, for findings: At("spec.containers") is
// spec.template.spec.containers in a Deployment.
func (p *Pod) At(field string) string { return p.template().At(field) }

func (p *Pod) template() pod.Template {
	if p.root == nil {
		p.root = node.Mapping()
	}
	return pod.Template{Path: p.Path, Node: p.root, IsBare: p.isBare}
}
