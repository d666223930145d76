// Package audit compares live pods with what injectors declare for them.
//
// An audit is an injection into the manifest that a pod may come from: what it would add is declared, and must be in the pod. So selection,
// policies and variables are those of the engine, and everything works without stamps too.
package audit

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

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

// Row is the state of one pod under one injector. It shares no memory with the pod's text.
type Row struct {
	Injector  string
	Namespace string // of the pod
	Pod       string // the name
	Owner     live.Owner
	Revision  string // the ReplicaSet, or the controller's hash of the template, that the pod was created from; empty if not known
	State     State
	Reason    finding.Code // of a skipped, unexpected or refused pod
	Message   string       // of the reason
	Fields    []Field      // that are missing or differ
	Infos     []Info       // that do not change the state
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

// Group is the pods of one owner under one injector.
type Group struct {
	Injector    string
	Owner       live.Owner
	Counts      map[State]int
	Template    State  // of the workload's own pod template; empty if the workload is not in the input
	Explanation string // of why pods are not current; empty if nothing is known
}

// Audit is the states of all pods, in the order of the input, and the groups of them, in the order of their first pods.
type Audit struct {
	Rows     []Row
	Groups   []Group
	Findings []finding.Finding // about objects that could not be read, and about the run as a whole
}

// Auditor audits pods of a cluster, of which it knows other objects.
type Auditor struct {
	config     engine.Config
	kinds      podtemplate.Kinds
	owners     live.Owners
	namespaces []engine.Source
}

// New returns an auditor. Objects that are not pods tell of the pods' owners and of namespaces.
func New(config engine.Config, objects []live.Object) (*Auditor, error) {
	config = config.Auditing()
	a := &Auditor{config: config, kinds: kindsOf(config), owners: live.NewOwners(objects)}
	var namespaces []*yaml.Node
	for _, object := range objects {
		if object.APIVersion == "v1" && object.Kind == "Namespace" {
			namespaces = append(namespaces, object.Node)
		}
	}
	var err error
	a.namespaces, err = encode(namespaces)
	return a, err
}

// Pods returns the states of pods, in their order. The error means that the context has ended, or that a pod cannot be read.
func (a *Auditor) Pods(ctx context.Context, pods []live.Object) ([]Row, error) {
	subjects, manifests := make([]subject, len(pods)), make([]*yaml.Node, len(pods))
	for i, pod := range pods {
		subjects[i] = newSubject(pod, a.owners.Of(pod), a.kinds, a.config.Injectors())
		manifests[i] = subjects[i].manifest
	}
	sources, err := encode(manifests)
	if err != nil {
		return nil, err
	}
	result, err := engine.Apply(ctx, a.config, slices.Concat(sources, a.namespaces)...) // a manifest has the index of its subject
	if err != nil {
		return nil, err
	}
	var rows []Row
	for i := range result.Run.Workloads {
		w := &result.Run.Workloads[i]
		if w.Index >= len(subjects) { // the config takes namespaces for workloads
			continue
		}
		found, err := subjects[w.Index].rows(w, result.Texts[w.Index])
		if err != nil {
			return nil, err
		}
		rows = append(rows, found...)
	}
	return rows, nil
}

// Run audits the pods among live objects.
func Run(ctx context.Context, config engine.Config, objects []live.Object) (Audit, error) {
	isPod := func(o live.Object) bool { return o.APIVersion == "v1" && o.Kind == "Pod" }
	var pods, others []live.Object
	for _, object := range objects {
		if isPod(object) {
			pods = append(pods, object)
		} else {
			others = append(others, object)
		}
	}
	auditor, err := New(config, others)
	if err != nil {
		return Audit{}, err
	}
	rows, err := auditor.Pods(ctx, pods)
	return Audit{Rows: rows, Groups: auditor.Groups(rows)}, err
}

// Groups returns the groups of rows.
func (a *Auditor) Groups(rows []Row) []Group {
	type key struct {
		injector string
		owner    live.Owner
	}
	places := map[key]int{}
	var groups []Group
	for _, row := range rows {
		k := key{row.Injector, row.Owner}
		place, isKnown := places[k]
		if !isKnown {
			place = len(groups)
			places[k] = place
			groups = append(groups, Group{Injector: row.Injector, Owner: row.Owner, Counts: map[State]int{}})
		}
		groups[place].Counts[row.State]++
	}
	return groups
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
