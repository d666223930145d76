package audit_test

import (
	"strings"
	"testing"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/engine"
)

// TestThePodsOwnResources checks that the resources of the pod itself are not compared: the API server computes requests
// there, and people resize pods.
func TestThePodsOwnResources(t *testing.T) {
	const config = `
apiVersion: pillion.dev/v1alpha1
kind: SidecarInjector
metadata: {name: proxy}
spec:
  containers:
  - {name: proxy, image: "proxy:1", mode: Native, resources: {requests: {cpu: 200m}}}
`
	for claim, test := range map[string]struct{ own, live string }{
		"as injected":             {"requests: {cpu: 0.5}", "requests: {cpu: 0.5}"},
		"changed since":           {"requests: {cpu: 0.5}", "requests: {cpu: 900m}"},
		"with a computed request": {"limits: {cpu: 2}", "requests: {cpu: 300m}, limits: {cpu: 2}"},
	} {
		t.Run(claim, func(t *testing.T) {
			pod := `
apiVersion: v1
kind: Pod
metadata:
  name: web
  namespace: shop
  labels: {app: web}
spec:
  resources: {` + test.own + `}
  containers:
  - {name: app, image: "app:1", resources: {requests: {cpu: 100m}}}
`
			result, err := engine.Apply(t.Context(), read(t, config), finding.Source{Text: []byte(pod)})
			if err != nil || result.Texts[0] == nil {
				t.Fatal(result.Run, err)
			}
			live := strings.Replace(string(result.Texts[0]), test.own, test.live, 1)
			rows := run(t, config, live+"status: {phase: Running}\n")
			got := string(rows[0].State)
			for _, f := range rows[0].Fields {
				got += " " + strings.Join([]string{f.Path, f.Declared, f.Live}, " ")
			}
			if got != "current" {
				t.Errorf("got %s", got)
			}
		})
	}
}
