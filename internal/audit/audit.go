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

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/engine"
	"pillion.dev/pillion/internal/live"
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
	owners := live.NewOwners(objects)
	var subjects []subject
	var sources, namespaces []engine.Source
	for _, object := range objects {
		isPod, isNamespace := object.APIVersion == "v1" && object.Kind == "Pod", object.APIVersion == "v1" && object.Kind == "Namespace"
		switch {
		case isPod:
			s := newSubject(object, owners.Of(object), config.Injectors())
			subjects = append(subjects, s)
			object.Node = s.manifest
			fallthrough
		case isNamespace:
			text, err := encode(object.Node)
			if err != nil {
				return Audit{}, err
			}
			if isPod {
				sources = append(sources, engine.Source{Text: text})
			} else {
				namespaces = append(namespaces, engine.Source{Text: text})
			}
		}
	}
	result, err := engine.Apply(ctx, config, append(sources, namespaces...)...)
	if err != nil {
		return Audit{}, err
	}
	audit := Audit{Findings: result.Run.General}
	for i := range result.Run.Workloads {
		w := &result.Run.Workloads[i]
		rows, err := subjects[w.Index].rows(w, result.Texts[w.Index])
		if err != nil {
			return Audit{}, err
		}
		audit.Rows = append(audit.Rows, rows...)
	}
	return audit, nil
}

func encode(n *yaml.Node) ([]byte, error) {
	var value any
	if err := n.Decode(&value); err != nil {
		return nil, fmt.Errorf("a live object cannot be read: %w", err)
	}
	return json.Marshal(value)
}
