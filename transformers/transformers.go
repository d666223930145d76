// Package transformers is for Go programs that embed Pillion and change each injected pod in ways that a config cannot express.
//
// A Transformer is to a pod template what a Unix filter is to a stream: it takes the pod template and changes it. It never sees
// bytes, files or flags. What it changes is recorded in the stamp of the injector, so that a later run recognises it, updates it
// and removes it, without any code in the transformer.
//
//	func team(pod *transformers.Pod) []finding.Finding {
//		return pod.Set("payments", "metadata", "labels", "team")
//	}
//
//	config = config.After(team)
package transformers

import (
	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// Transformer changes a pod template, and returns the problems that it finds. If one of them is an error, the run writes nothing,
// neither to this workload nor to any other. Findings may have any Code, also one of the program's own; their Injector is
// set, and so are Object and File if they are nil. A Transformer must not be nil. If it panics, fn.Apply panics.
//
// A Transformer is called for each pod template and each injector that selects it, for several pod templates at the same time, and
// more than once for some of them. It must not keep state, and must do the same each time. It sees the pod template without what
// this injector added in earlier runs.
//
// It may add anything to what the app has, and may replace whole labels, annotations, containers, volumes, variables, mounts and
// devices. The stamp restores nothing else: a run that replaces another field of the app fails, unless spec.stamp is None,
// and what is deleted or moved does not come back.
//
// The entries of Get("spec", "containers") are the containers of the pod. Those of the app are the ones whose names are not in
// Injector.GetSpec().Containers, unless other injectors have added some.
type Transformer func(pod *Pod) []finding.Finding

// Injector is an injector as it applies to one pod template: with its variables replaced, and with the values that annotations of
// the pod override.
type Injector interface {
	GetName() string
	// GetSpec returns the spec with its defaults. It is shared: do not change it.
	GetSpec() *v1alpha1.SidecarInjectorSpec
}

// Pod is a pod template that an injector changes.
type Pod struct {
	// Node holds the pod's metadata and spec for Pillion itself. Read them by Get, and change them by Set and Append.
	Node any
	// Path leads from the workload to the pod template, such as spec.template. It is empty for a Pod.
	Path string
	// Object is the workload.
	Object finding.Object
	// Injector is the injector that is being applied.
	Injector Injector
	// Finishes is set if the pod is meant to end, like that of a Job.
	Finishes bool

	changed bool
}

// root returns the mapping with the pod's metadata and spec. Most of its nodes are shared with the original text.
func (p *Pod) root() *node.Node { return p.Node.(*node.Node) }

// At returns the path of a field of the pod template from the workload on, for findings: At("spec.containers") is
// spec.template.spec.containers in a Deployment.
func (p *Pod) At(field string) string { return node.Join(p.Path, field) }

// Changed reports whether Set or Append has changed anything.
func (p *Pod) Changed() bool { return p.changed }
