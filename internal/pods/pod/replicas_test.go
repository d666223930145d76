package pod

import (
	"testing"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/text/yaml/node"
	"pillion.dev/pillion/internal/text/yaml/read"
)

func TestReplicasStandBesideTheTemplate(t *testing.T) {
	kinds := NewKinds([]v1alpha1.Workload{{Group: "ray.io", Kind: "RayCluster", PodTemplates: []string{"spec.workerGroupSpecs[].template"}}})
	const template = "template: {spec: {containers: []}}"
	for _, test := range []struct {
		claim, apiVersion, kind, object string
		want                            int
		known                           bool
	}{
		{"a Pod is one", "v1", "Pod", "spec: {containers: []}", 1, true},
		{"a Deployment says how many", "apps/v1", "Deployment", "spec: {replicas: 3, " + template + "}", 3, true},
		{"a Deployment is one by default", "apps/v1", "Deployment", "spec: {" + template + "}", 1, true},
		{"none is none", "apps/v1", "StatefulSet", "spec: {replicas: 0, " + template + "}", 0, true},
		{"what is no number is the default", "apps/v1", "Deployment", "spec: {replicas: many, " + template + "}", 1, true},
		{"a DaemonSet depends on the nodes", "apps/v1", "DaemonSet", "spec: {" + template + "}", 1, false},
		{"a Job has a parallelism", "batch/v1", "Job", "spec: {parallelism: 4, " + template + "}", 4, true},
		{"a number may have another base", "apps/v1", "Deployment", "spec: {replicas: 0x3, " + template + "}", 3, true},
		{"a number may be a float", "apps/v1", "Deployment", "spec: {replicas: 3.0, " + template + "}", 3, true},
		{"fewer than none is the default", "apps/v1", "Deployment", "spec: {replicas: -3, " + template + "}", 1, true},
		{"a Job runs no more pods than it completes", "batch/v1", "Job", "spec: {completions: 2, parallelism: 5, " + template + "}", 2, true},
		{"a Job runs one after the other by default", "batch/v1", "Job", "spec: {completions: 4, " + template + "}", 1, true},
		{"a Job of no completions runs nothing", "batch/v1", "Job", "spec: {completions: 0, " + template + "}", 0, true},
		{"a CronJob has it inside", "batch/v1", "CronJob", "spec: {jobTemplate: {spec: {parallelism: 2, " + template + "}}}", 2, true},
		{"a CronJob is one by default", "batch/v1", "CronJob", "spec: {jobTemplate: {spec: {" + template + "}}}", 1, true},
		{"a task has its own", "batch.volcano.sh/v1alpha1", "Job", "spec: {tasks: [{replicas: 5, " + template + "}]}", 5, true},
		{"Knative scales by itself", "serving.knative.dev/v1", "Service", "spec: {" + template + "}", 1, false},
		{"a template is of no known number", "v1", "PodTemplate", template, 1, false},
		{"a declared kind may say", "ray.io/v1", "RayCluster", "spec: {workerGroupSpecs: [{replicas: 7, " + template + "}]}", 7, true},
	} {
		t.Run(test.claim, func(t *testing.T) {
			var document node.Node
			if err := read.Into([]byte(test.object), &document); err != nil {
				t.Fatal(err)
			}
			workload := document.Content[0]
			kind, _ := kinds.Find(test.apiVersion, test.kind)
			templates := kind.Templates(workload)
			if len(templates) != 1 {
				t.Fatalf("%d templates", len(templates))
			}
			if n, known := kind.Replicas(workload, templates[0]); n != test.want || known != test.known {
				t.Errorf("%d, known %v; want %d, %v", n, known, test.want, test.known)
			}
		})
	}
}
