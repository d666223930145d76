package watcher

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"pillion.dev/pillion/audit/internal/cluster"
	"pillion.dev/pillion/audit/internal/object"
	"pillion.dev/pillion/audit/internal/states"
	"pillion.dev/pillion/internal/audit"
	"pillion.dev/pillion/internal/core/engine"
	"pillion.dev/pillion/internal/pods/live"
)

// chunk is how many pods are audited at once: enough to use all cores, and few enough for little memory.
const chunk = 128

// audit replaces the states of pods. A pod that cannot be audited must not keep others from it.
func (w *Watcher) audit(ctx context.Context, config engine.Config, keys []string) {
	err := w.auditTogether(ctx, config, keys)
	if err == nil || ctx.Err() != nil {
		return
	}
	for _, key := range keys {
		if err := w.auditTogether(ctx, config, []string{key}); err != nil && ctx.Err() == nil {
			w.failed.Add(1)
			w.options.Log.Error("the pod cannot be audited", "pod", key, "error", err)
			namespace, name := states.Split(key)
			w.table.Set(namespace, name, nil)
		}
	}
}

// auditTogether replaces the states of pods, or of none of them.
func (w *Watcher) auditTogether(ctx context.Context, config engine.Config, keys []string) (err error) {
	defer func() {
		if problem := recover(); problem != nil {
			err = fmt.Errorf("panic: %v", problem)
		}
	}()
	pods, others, err := w.objects(keys)
	if err != nil {
		return err
	}
	rows := map[string][]audit.Row{}
	if len(pods) > 0 {
		auditor, err := audit.New(config, others)
		if err != nil {
			return err
		}
		all, err := auditor.Pods(ctx, pods)
		if err != nil {
			return err
		}
		for _, row := range all {
			key := states.Key(row.Namespace, row.Pod)
			rows[key] = append(rows[key], row)
		}
	}
	for _, key := range keys {
		namespace, name := states.Split(key)
		w.table.Set(namespace, name, rows[key])
	}
	return nil
}

// objects returns the pods with some keys that exist, and the namespaces and controllers of these.
func (w *Watcher) objects(keys []string) (pods, others []live.Object, err error) {
	var found []*object.Object
	needed := map[*object.Object]bool{}
	for _, key := range keys {
		namespace, name := states.Split(key)
		pod := w.cluster.Get("v1", "Pod", namespace, name)
		if pod == nil {
			continue
		}
		found = append(found, pod)
		if n := w.cluster.Get("v1", "Namespace", "", namespace); n != nil {
			needed[n] = true
		}
		w.controllers(pod, needed)
	}
	if pods, err = liveOf(found); err != nil {
		return nil, nil, err
	}
	others, err = liveOf(slices.Collect(maps.Keys(needed)))
	return pods, others, err
}

// liveOf returns objects for an audit.
func liveOf(objects []*object.Object) ([]live.Object, error) {
	found := make([]live.Object, len(objects))
	for i, o := range objects {
		var err error
		if found[i], err = o.Live(); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// controllers adds the known controllers of a pod.
func (w *Watcher) controllers(o *object.Object, found map[*object.Object]bool) {
	for range live.MaxControllers {
		c := o.Controller
		if o = w.cluster.Get(c.APIVersion, c.Kind, o.Namespace, c.Name); o == nil {
			return
		}
		found[o] = true
	}
}

// templates returns a namespace and the workloads in it.
func (w *Watcher) templates(namespace string) ([]live.Object, error) {
	var all []*object.Object
	if n := w.cluster.Get("v1", "Namespace", "", namespace); n != nil {
		all = append(all, n)
	}
	for _, resource := range cluster.Workloads {
		all = append(all, w.cluster.List(resource, namespace)...)
	}
	return liveOf(all)
}
