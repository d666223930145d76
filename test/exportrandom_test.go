package test

import (
	"fmt"
	"math/rand"
	"path/filepath"
	"testing"

	corev1 "k8s.io/api/core/v1"
)

// TestExportOfRandomPods builds exports of random payloads with random workloads. Whatever builds must be equal to the result of
// Pillion, including the order of lists, and a workload that has nothing of the payload must build.
func TestExportOfRandomPods(t *testing.T) {
	const payloads, workloads = 8, 10
	built := 0
	for seed := range int64(payloads) {
		random := podMaker{rand.New(rand.NewSource(seed))}
		payload := random.payload()
		config := filepath.Join(t.TempDir(), "config.yaml")
		writeFile(t, config, asYAML(t, map[string]any{
			"apiVersion": "pillion.dev/v1alpha1",
			"kind":       "SidecarInjector",
			"metadata":   map[string]any{"name": "random"},
			"spec":       asMap(t, payload),
		}))
		for i := range workloads {
			pod := random.pod("web", payload)
			app := exportedApp{source: t.TempDir(), build: ".", config: config}
			writeFile(t, filepath.Join(app.source, "kustomization.yaml"), "resources: [app.yaml]\n")
			writeFile(t, filepath.Join(app.source, "app.yaml"), asYAML(t, random.workload(t, pod)))
			t.Run(fmt.Sprintf("%d-%d", seed, i), func(t *testing.T) {
				got, said, ok := plainBuild(app.overlay(t))
				switch {
				case ok:
					built++
					want, accepted := app.injected(t)
					if !accepted {
						t.Errorf("Pillion refuses, and the export builds:\n%s", got)
					}
					sameObjects(t, want, got)
				case !hasSomeOf(pod.Spec, payload):
					t.Errorf("it has nothing of the payload, and does not build:\n%s", said)
				}
			})
		}
	}
	if built < workloads {
		t.Errorf("only %d of %d were built", built, payloads*workloads)
	}
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

// hasSomeOf reports whether a pod has an entry with a name of the payload.
func hasSomeOf(pod, payload corev1.PodSpec) bool {
	names := map[string]bool{}
	for _, c := range append(payload.Containers, payload.InitContainers...) {
		names["container "+c.Name] = true
	}
	for _, v := range payload.Volumes {
		names["volume "+v.Name] = true
	}
	for _, s := range payload.ImagePullSecrets {
		names["secret "+s.Name] = true
	}
	for _, c := range append(pod.Containers, pod.InitContainers...) {
		if names["container "+c.Name] {
			return true
		}
	}
	for _, v := range pod.Volumes {
		if names["volume "+v.Name] {
			return true
		}
	}
	for _, s := range pod.ImagePullSecrets {
		if names["secret "+s.Name] {
			return true
		}
	}
	return false
}
