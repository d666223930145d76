package test

import (
	"fmt"
	"math/rand"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"pillion.dev/pillion/test/resourcelist"
)

// TestExportOfRandomPods builds exports of random payloads with random workloads. Those that have nothing of the
// payload must be equal to the result of Pillion.
func TestExportOfRandomPods(t *testing.T) {
	const payloads, workloads = 12, 6
	for seed := range int64(payloads) {
		random := podMaker{rand.New(rand.NewSource(seed))}
		payload := random.payload()
		spec := asMap(t, payload)
		for _, c := range list(spec["initContainers"]) {
			c.(map[string]any)["podInjectPolicy"] = "BeforeAppContainer"
		}
		config := asYAML(t, map[string]any{
			"apiVersion": "pillion.dev/v1alpha1", "kind": "SidecarInjector", "metadata": map[string]any{"name": "random"}, "spec": spec,
		})
		var objects []string
		for i := range workloads {
			object := random.workload(t, random.pod("web", corev1.PodSpec{}))
			object["metadata"] = map[string]any{"name": fmt.Sprintf("web-%d", i)}
			objects = append(objects, asYAML(t, object))
		}
		app := newExportedApp(t, config, resourcelist.Join(objects))
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			built := mustBuild(t, app.overlay(t))
			sameObjects(t, app.injected(t), built)
			if said := app.verified(t, built); said != "" {
				t.Errorf("pillion verify fails:\n%s", said)
			}
		})
	}
}

func list(value any) []any {
	entries, _ := value.([]any)
	return entries
}

// workload returns a workload with the pod, of one of the kinds that patches support.
func (r podMaker) workload(t *testing.T, pod corev1.Pod) map[string]any {
	t.Helper()
	object := asMap(t, pod)
	delete(object, "status")
	template := map[string]any{"metadata": map[string]any{"labels": map[string]any{"app": "web"}}, "spec": object["spec"]}
	if r.Intn(2) == 0 {
		delete(template, "metadata")
	}
	spec := map[string]any{"template": template}
	group := "apps/v1"
	kind := r.pick("Pod", "Deployment", "StatefulSet", "DaemonSet", "Job", "CronJob")
	switch kind {
	case "Pod":
		return object
	case "Job":
		group = "batch/v1"
	case "CronJob":
		group, spec = "batch/v1", map[string]any{"jobTemplate": map[string]any{"spec": spec}}
	}
	return map[string]any{"apiVersion": group, "kind": kind, "metadata": map[string]any{"name": "web"}, "spec": spec}
}
