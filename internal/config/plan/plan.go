// Package plan turns an injector into data: the conditions on a pod, and the operations on it, in order.
package plan

import (
	"pillion.dev/pillion/internal/config/injector"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// Plan is what an injector does to each pod that meets its conditions.
type Plan struct {
	*injector.Injector
	Steps []Step // in the order in which they run

	values *injector.Values // of the pod that it is for; nil if it is the same for all pods
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

// Verb is what an operation does.
type Verb string

// The verbs.
const (
	Add   Verb = "add"   // an entry to a list
	Fill  Verb = "set"   // a field
	Join  Verb = "join"  // a value to that of the app
	Grow  Verb = "grow"  // the pod's own resources, by those of the containers that were added
	Share Verb = "share" // the pod's own resources with these containers, which go in without theirs
)

// Operation changes one thing in a pod, or the same thing in several containers of the app.
type Operation struct {
	Verb  Verb
	Row   *pod.Row   // of the list or the field
	Key   string     // of the entry, or of the field, with variables as they are written
	Value *node.Node // as it is written
	Field string     // of the config

	App       *injector.AppContainers // the app's containers that it is for; nil if it is for the pod
	Container *injector.Container     // with what it gets from the app; nil if the operation adds none
	Native    *node.Node              // the value of a sidecar as a native one; nil if the operation adds none
	Place     Place
	OnTaken   Choice         // what happens if the app has something else there
	OnPort    Choice         // what happens if the app has a port of the container
	Join      *injector.Join // how a text is joined; nil for JSON
	IsRare    bool           // few pods get something by it, so Words leaves it out
}

// Place is where an entry goes in its list.
type Place struct {
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
