package learn_test

import (
	"testing"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/engine"
)

// FuzzLearn learns from two texts of strangers. Whatever it returns is a valid config, and every difference has a
// finding.
func FuzzLearn(f *testing.F) {
	const pod = `{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web"}, "spec": {"containers": [{"name": "app", "image": "app:1"}]}}`
	f.Add(pod, pod)
	f.Add(pod, `apiVersion: v1
kind: Pod
metadata: {name: web, labels: {mesh: "on"}, annotations: {a: "${b}"}}
spec:
  initContainers: [{name: proxy, image: proxy:1, restartPolicy: Always, args: ["$${x}", --name=web]}]
  containers: [{name: app, image: app:1, env: [{name: A, value: b}], volumeMounts: [{name: v, mountPath: /v}]}]
  volumes: [{name: v, emptyDir: {}}]
  tolerations: [{key: a, operator: Exists}]
`)
	f.Fuzz(func(t *testing.T, before, after string) {
		learned, err := learnFrom([]byte(before), []byte(after))
		if err != nil {
			return
		}
		_, findings := engine.ReadConfig(finding.Source{Text: learned.Text})
		if finding.HasError(findings) {
			t.Errorf("what was learned is not valid: %v\n%s", findings, learned.Text)
		}
		if differences := differing(learned, nil); differences != "" && len(learned.Findings) == 0 {
			t.Errorf("there are differences without a finding: %s", differences)
		}
	})
}
