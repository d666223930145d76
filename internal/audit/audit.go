// Package audit compares live pods with what injectors declare for them.
//
// An audit is an injection into the manifest that a pod may come from: what it would add is declared, and must be in the pod. So selection,
// policies and variables are those of the engine, and everything works without stamps too.
package audit

import (
	"context"
	"encoding/json"
	"fmt"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/engine"
	"pillion.dev/pillion/internal/live"
	"pillion.dev/pillion/internal/podtemplate"
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

// Row is the state of one pod under one injector.
type Row struct {
	Injector string
	Pod      live.Object
	Owner    live.Owner
	State    State
	Reason   finding.Code // of a skipped or refused pod
	Message  string       // of the reason
	Fields   []Field      // that are missing or differ
}

// Field is a declared field of a stale pod.
type Field struct {
	Path           string
	Declared, Live *yaml.Node // the live value is nil if it is missing
}

// Audit is the states of all pods, in the order of the input.
type Audit struct {
	Rows     []Row
	Findings []finding.Finding // about the run as a whole
}

// Run audits the pods among live objects. Other objects tell of the pods' owners and of namespaces. The error means that the context has
// ended, or that an object cannot be read.
func Run(ctx context.Context, config engine.Config, objects []live.Object) (Audit, error) {
	config = config.Auditing()
	owners, kinds := live.NewOwners(objects), kindsOf(config)
	var subjects []subject
	var manifests, namespaces []*yaml.Node
	for _, object := range objects {
		switch {
		case object.APIVersion != "v1":
		case object.Kind == "Pod":
			s := newSubject(object, owners.Of(object), kinds, config.Injectors())
			subjects, manifests = append(subjects, s), append(manifests, s.manifest)
		case object.Kind == "Namespace":
			namespaces = append(namespaces, object.Node)
		}
	}
	sources, err := encode(append(manifests, namespaces...)) // so that a manifest has the index of its subject
	if err != nil {
		return Audit{}, err
	}
	result, err := engine.Apply(ctx, config, sources...)
	if err != nil {
		return Audit{}, err
	}
	audit := Audit{Findings: result.Run.General}
	for i := range result.Run.Workloads {
		w := &result.Run.Workloads[i]
		if w.Index >= len(subjects) { // the config takes namespaces for workloads
			continue
		}
		rows, err := subjects[w.Index].rows(w, result.Texts[w.Index])
		if err != nil {
			return Audit{}, err
		}
		audit.Rows = append(audit.Rows, rows...)
	}
	return audit, nil
}

// kindsOf returns the kinds of workloads that manifests of pods may have.
func kindsOf(config engine.Config) podtemplate.Kinds {
	var declared [][]v1alpha1.Workload
	for _, in := range config.Injectors() {
		declared = append(declared, in.Spec.Workloads)
	}
	return podtemplate.NewKinds(declared...)
}

// encode returns nodes as sources of the engine.
func encode(nodes []*yaml.Node) ([]engine.Source, error) {
	sources := make([]engine.Source, len(nodes))
	for i, n := range nodes {
		var value any
		err := n.Decode(&value)
		if err == nil {
			sources[i].Text, err = json.Marshal(value)
		}
		if err != nil {
			return nil, fmt.Errorf("a live object cannot be read: %w", err)
		}
	}
	return sources, nil
}
