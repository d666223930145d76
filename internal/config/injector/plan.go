package injector

import (
	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// Plan is what an injector does to each pod that meets its conditions.
type Plan struct {
	*Injector
	Steps []Step // in the order in which they run

	values *Values // of the pod that it is for; nil if it is the same for all pods
}

// Step is the operations that come from one field of the spec. After an error, later steps do not run, because they
// would only report consequences.
type Step struct {
	Field      string
	Operations []Operation
}

// In returns the operations that come from a field of the spec.
func (p *Plan) In(field string) []Operation {
	for _, step := range p.Steps {
		if step.Field == field {
			return step.Operations
		}
	}
	return nil
}

// Entries returns the operations that come from entries and fields of the config.
func (p *Plan) Entries() (all []Operation) {
	for _, step := range p.Steps {
		for _, op := range step.Operations {
			if op.Value != nil {
				all = append(all, op)
			}
		}
	}
	return all
}

// Verb is what an operation does.
type Verb string

// The verbs.
const (
	Add         Verb = "add"         // an entry to a list
	Fill        Verb = "fill"        // a field of the pod spec with what the pod lacks
	Set         Verb = "set"         // a label or an annotation
	MergeJSON   Verb = "mergeJSON"   // an object into an annotation
	JoinText    Verb = "joinText"    // a value to that of a variable of the app
	NameDefault Verb = "nameDefault" // the app's first container as that of kubectl logs and exec
)

// Operation changes one thing in a pod, or the same thing in several containers of the app.
type Operation struct {
	Verb  Verb
	Row   *pod.Row   // of the list or the field
	Key   string     // of the entry, or of the field, with variables as they are written
	Value *node.Node // as it is written; of a sidecar, as a plain one
	Field string     // of the config

	App       *AppContainers // the app's containers that it is for; nil if it is for the pod
	Container *Container     // with what it gets from the app; nil if the operation adds none
	Native    *node.Node     // the value of a sidecar as a native one; nil if the operation adds none
	Position  Position
	OnTaken   Choice // what happens if the app has something else there
	OnPort    Choice // what happens if the app has a port of the container
	Join      *Join  // how a text is joined; nil if nothing is
	IsRare    bool   // few pods get something by it, so Words leaves it out
}

// Body returns what the operation adds to its list.
func (o Operation) Body() *node.Node {
	if o.Native != nil && o.Row == pod.InSpec(pod.Init) {
		return o.Native
	}
	return o.Value
}

// Into returns the operation of a container as it is in a pod in which the container goes into a list. The pod decides
// whether a sidecar is a native one.
func (o Operation) Into(list string) Operation {
	o.Row = pod.InSpec(list)
	o.Value = o.Body()
	o.Position.IsFront = leads(o.Container.PodInjectPolicy, list, o.Value)
	return o
}

// leads reports whether a container goes in front of the app's in a list of containers. Native sidecars do by default,
// so that they run while the app's init containers do.
func leads(policy v1alpha1.PodInjectPolicy, list string, body *node.Node) bool {
	if policy == "" {
		return pod.IsNative(list, body)
	}
	return policy == v1alpha1.BeforeAppContainer
}

// Position is where an entry goes in its list.
type Position struct {
	IsFront       bool   // before the app's entries, and otherwise behind them
	Before, After string // the container beside which it goes instead, if the pod has it
}

// Choice is what happens if the app has something else where an operation adds or sets something.
type Choice string

// The choices besides Error, which refuses the pod.
const (
	Keep    Choice = "Keep"    // what the app has
	Merge   Choice = "Merge"   // add to it what it lacks
	Replace Choice = "Replace" // it
)
