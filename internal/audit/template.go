package audit

import (
	"context"

	"pillion.dev/pillion/internal/pods/live"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// template is the pod template of a workload, a ReplicaSet or a Job in the cluster.
type template struct {
	states  map[string]State // by injector
	creator live.Creator     // the workload at the top
	rollout rollout
}

// rollout is how a workload replaces its pods, and how far it is.
type rollout struct {
	isPaused, isOnDelete bool
	partition            int    // of a StatefulSet: pods with lower numbers stay as they are
	isDone               bool   // whether all pods are of the template, as far as the controller reports it
	revision             string // of the template, in the pods' label; empty if it is not known
}

// workload is an object with a pod template, which is read when it is needed.
type workload struct {
	object     live.Object // without the node
	containers []string    // the names in its only pod template
	bytes      int         // of the text that is read; 0 if the node is in memory anyway
	read       func() (*node.Node, error)
}

// templates audits the pod templates of the workloads with some names. Those that are not known or cannot be read are
// left out, and so are those that are left when the context ends.
func (a *Auditor) templates(ctx context.Context, names []live.Creator) map[live.Creator]template {
	found := map[live.Creator]template{}
	for some := range chunks(names, func(name live.Creator) int { return a.workloads[name].bytes }) {
		a.addTemplates(ctx, found, some)
	}
	return found
}

func (a *Auditor) addTemplates(ctx context.Context, found map[live.Creator]template, names []live.Creator) {
	var subjects []*subject
	var known []live.Creator
	rollouts := map[live.Creator]rollout{}
	for _, name := range names {
		work, isKnown := a.workloads[name]
		if !isKnown {
			continue
		}
		if n, err := work.read(); err == nil {
			work.object.Node = n
			if s := a.newTemplateSubject(work.object); s != nil {
				subjects, known, rollouts[name] = append(subjects, s), append(known, name), rolloutOf(n)
			}
		}
	}
	if a.inject(ctx, subjects) != nil {
		return
	}
	for i, s := range subjects {
		t := template{states: map[string]State{}, creator: s.creator, rollout: rollouts[known[i]]}
		for _, row := range s.rows() {
			t.states[row.Injector] = row.State
		}
		found[known[i]] = t
	}
}

// newTemplateSubject returns the only pod template of a workload as if it were a pod, or nil if there is none.
func (a *Auditor) newTemplateSubject(object live.Object) *subject {
	kind, isKnown := a.kinds.Find(object.APIVersion, object.Kind)
	if !isKnown {
		return nil
	}
	templates := kind.Templates(object.Node)
	if len(templates) != 1 || templates[0].Broken != nil || templates[0].Node == nil {
		return nil
	}
	pod := node.Mapping()
	for _, field := range []string{"metadata", "spec"} {
		if value := node.Get(templates[0].Node, field); value != nil {
			node.Set(pod, field, value)
		}
	}
	owner := a.creators.Of(object)
	return a.newSubject(live.Object{APIVersion: "v1", Kind: "Pod", Namespace: object.Namespace, Name: object.Name, Node: pod}, owner, true)
}

func rolloutOf(workload *node.Node) rollout {
	r := rollout{
		isPaused:   node.IsTrue(workload, "spec", "paused"),
		isOnDelete: node.Text(workload, "spec", "updateStrategy", "type") == "OnDelete",
		revision:   node.Text(workload, "status", "updateRevision"),
	}
	r.partition, _ = node.Int(workload, "spec", "updateStrategy", "rollingUpdate", "partition")
	generation, observed := node.Amount(workload, "metadata", "generation"), node.Amount(workload, "status", "observedGeneration")
	for _, counts := range [][2]string{{"replicas", "updatedReplicas"}, {"currentNumberScheduled", "updatedNumberScheduled"}} {
		all, isKnown := node.Int(workload, "status", counts[0])
		updated, _ := node.Int(workload, "status", counts[1])
		r.isDone = r.isDone || isKnown && updated >= all && generation != "" && generation == observed
	}
	return r
}
