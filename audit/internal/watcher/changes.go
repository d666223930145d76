package watcher

import (
	"cmp"

	"pillion.dev/pillion/audit/internal/cluster"
	"pillion.dev/pillion/audit/internal/object"
	"pillion.dev/pillion/audit/internal/states"
	"pillion.dev/pillion/internal/pods/live"
)

// changed marks the pods whose states may depend on an object that has changed.
func (w *Watcher) changed(c cluster.Change) {
	o := cmp.Or(c.New, c.Old)
	switch c.Resource {
	case cluster.Pods:
		w.queue.Mark(states.Key(o.Namespace, o.Name))
	case cluster.Namespaces:
		w.mark(w.cluster.List(cluster.Pods, o.Name))
	default:
		w.table.Touch() // explanations depend on templates
		if c.Old == nil || c.New == nil || c.Old.Controller != c.New.Controller {
			w.markControlled(c.Resource, o, live.MaxControllers)
		}
	}
}

// markControlled marks the pods that a workload controls, and those of workloads that it controls.
func (w *Watcher) markControlled(resource cluster.Resource, o *object.Object, depth int) {
	if depth == 0 {
		return
	}
	w.mark(w.cluster.Controlled(cluster.Pods, resource.APIVersion(), resource.Kind, o.Namespace, o.Name))
	for _, r := range cluster.Workloads {
		for _, controlled := range w.cluster.Controlled(r, resource.APIVersion(), resource.Kind, o.Namespace, o.Name) {
			w.markControlled(r, controlled, depth-1)
		}
	}
}

func (w *Watcher) mark(pods []*object.Object) {
	keys := make([]string, len(pods))
	for i, pod := range pods {
		keys[i] = states.Key(pod.Namespace, pod.Name)
	}
	w.queue.Mark(keys...)
}
