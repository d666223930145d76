package live_test

import (
	"fmt"
	"testing"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/pods/live"
	"pillion.dev/pillion/internal/text/yaml/node"
	"pillion.dev/pillion/internal/text/yaml/read"
)

func object(t *testing.T, text string) live.Object {
	t.Helper()
	var document node.Node
	if err := read.Into([]byte(text), &document); err != nil {
		t.Fatal(err)
	}
	return live.NewObject(document.Content[0])
}

// controlled returns the metadata of an object with a controller.
func controlled(name, apiVersion, kind, controller, more string) string {
	return fmt.Sprintf("{name: %s, namespace: shop, ownerReferences: [{apiVersion: v1, kind: Node, name: n}, "+
		"{apiVersion: %s, kind: %s, name: %s, controller: true}]%s}", name, apiVersion, kind, controller, more)
}

func pod(t *testing.T, apiVersion, kind, controller, more string) live.Object {
	t.Helper()
	return object(t, "{apiVersion: v1, kind: Pod, metadata: "+controlled("p", apiVersion, kind, controller, more)+"}")
}

func TestOwners(t *testing.T) {
	hash, rolloutHash := ", labels: {pod-template-hash: 7d4b9c}", ", labels: {rollouts-pod-template-hash: 7d4b9c}"
	created := ", creationTimestamp: \"2026-11-16T04:00:30Z\"" // 29913360 minutes after 1970
	between := []live.Object{
		object(t, "{apiVersion: apps/v1, kind: ReplicaSet, metadata: "+
			controlled("web-7d4b9c", "argoproj.io/v1alpha1", "Rollout", "web", "")+"}"),
		object(t, "{apiVersion: batch/v1, kind: Job, metadata: "+controlled("report-now", "batch/v1", "CronJob", "report", "")+"}"),
		object(t, "{apiVersion: apps/v1, kind: ReplicaSet, metadata: "+controlled("loop", "apps/v1", "ReplicaSet", "loop", "")+"}"),
	}
	for name, c := range map[string]struct {
		pod     live.Object
		objects []live.Object
		want    string
	}{
		"alone":                     {object(t, "{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: shop}}"), nil, "Pod p"},
		"Deployment by name":        {pod(t, "apps/v1", "ReplicaSet", "web-7d4b9c", hash), nil, "Deployment web"},
		"Rollout by name":           {pod(t, "apps/v1", "ReplicaSet", "web-7d4b9c", rolloutHash), nil, "Rollout web"},
		"ReplicaSet of its own":     {pod(t, "apps/v1", "ReplicaSet", "web-7d4b9c", ""), nil, "ReplicaSet web-7d4b9c"},
		"ReplicaSet that is known":  {pod(t, "apps/v1", "ReplicaSet", "web-7d4b9c", hash), between, "Rollout web"},
		"StatefulSet":               {pod(t, "apps/v1", "StatefulSet", "db", ""), between, "StatefulSet db"},
		"CronJob by name":           {pod(t, "batch/v1", "Job", "report-29913360", created), nil, "CronJob report"},
		"Job with a date":           {pod(t, "batch/v1", "Job", "report-20261116", created), nil, "Job report-20261116"},
		"Job that is known":         {pod(t, "batch/v1", "Job", "report-now", created), between, "CronJob report"},
		"custom":                    {pod(t, "sparkoperator.k8s.io/v1beta2", "SparkApplication", "pi", ""), nil, "SparkApplication pi"},
		"forged references":         {pod(t, "apps/v1", "ReplicaSet", "loop", ""), between, "ReplicaSet loop"},
		"a hash that is all of it":  {pod(t, "apps/v1", "ReplicaSet", "-7d4b9c", hash), nil, "ReplicaSet -7d4b9c"},
		"ReplicaSet of other group": {pod(t, "example.com/v1", "ReplicaSet", "web-7d4b9c", hash), nil, "ReplicaSet web-7d4b9c"},
	} {
		t.Run(name, func(t *testing.T) {
			owner := live.NewCreators(c.objects...).Of(c.pod)
			if got := owner.Kind + " " + owner.Name; got != c.want || owner.Namespace != "shop" {
				t.Errorf("the owner is %s in %s, want %s in shop", got, owner.Namespace, c.want)
			}
		})
	}
}

func TestExemptPods(t *testing.T) {
	for text, want := range map[string]finding.Code{
		"{status: {phase: Running}}":   "",
		"{status: {phase: Pending}}":   "",
		"{}":                           "",
		"{status: {phase: Succeeded}}": finding.Finished,
		"{status: {phase: Failed}, metadata: {deletionTimestamp: now}}":  finding.Finished,
		"{status: {phase: Running}, metadata: {deletionTimestamp: now}}": finding.Terminating,
		"{metadata: {annotations: {kubernetes.io/config.mirror: a}}}":    finding.MirrorPod,
		"{metadata: {annotations: {kubernetes.io/config.source: file}}}": "", // anybody can set it
	} {
		if got, message := live.Exempt(object(t, text).Node); got != want || (got == "") != (message == "") {
			t.Errorf("%s: %q %s, want %q", text, got, message, want)
		}
	}
}
