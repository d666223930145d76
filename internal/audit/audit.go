// Package audit compares live pods with what injectors declare for them.
//
// An audit is an injection into the manifest that a pod may come from: what it would add is declared, and must be in
// the pod. So selection, policies and variables are those of the engine, and everything works without stamps too.
package audit

import (
	"strings"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/pods/live"
)

// State is that of one pod under one injector.
type State string

// The states, worst first.
const (
	Missing    State = "missing"    // the pod is selected, and nothing of what is declared is there
	Stale      State = "stale"      // it is there, and declared fields differ
	Unexpected State = "unexpected" // the pod has the injector's stamp, and the injector is not for it
	Refused    State = "refused"    // Pillion would refuse the pod
	Current    State = "current"    // everything that is declared is there
	Skipped    State = "skipped"    // the injector is not for the pod
)

// States are all states, worst first.
var States = []State{Missing, Stale, Unexpected, Refused, Current, Skipped}

// IsAsDeclared reports whether nothing has to be done about a pod.
func (s State) IsAsDeclared() bool { return s == Current || s == Skipped }

// Row is the state of one pod under one injector. It shares no memory with the pod's text.
type Row struct {
	Injector  string
	Namespace string // of the pod
	Pod       string // the name
	Creator   live.Creator
	Revision  string // the ReplicaSet, or the controller's hash of the template, that the pod was created from; empty if not known
	State     State
	Reason    finding.Code // of a skipped, unexpected or refused pod
	Message   string       // of the reason
	Fields    []Field      // that are missing or differ
	Infos     []Info       // that do not change the state
	Images    []Image      // that the declared containers run by their tags
}

func (r *Row) set(state State, reason finding.Code, message string) {
	r.State = state
	r.Reason = reason
	r.Message = strings.Clone(message)
}

// Field is a declared field that is missing from a pod or differs, in words.
type Field struct {
	Path           string
	Declared, Live string
	IsMissing      bool // then there is no live value
}

// Info is something about a pod that a reader may wonder about.
type Info struct {
	Code    finding.Code
	Message string
}

// Audit is the states of all pods, in the order of the input, and the groups of them, in the order of their first pods.
type Audit struct {
	Rows     []Row
	Groups   []Group
	Findings []finding.Finding // about objects that could not be read, and about the run as a whole
}
