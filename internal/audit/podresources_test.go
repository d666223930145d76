package audit_test

import (
	"strings"
	"testing"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/audit"
	"pillion.dev/pillion/internal/core/engine"
)

// TestThePodsOwnResources checks that what an injection added to the resources of the pod itself is not compared: the
// API server computes requests there, and people resize pods.
func TestThePodsOwnResources(t *testing.T) {
	const config = `
apiVersion: pillion.dev/v1alpha1
kind: SidecarInjector
metadata: {name: proxy}
spec:
  containers:
  - {name: proxy, image: "proxy:1", mode: Native, resources: {requests: {cpu: 200m}}}
`
	for claim, test := range map[string]struct{ own, was, computed, is, want string }{
		"as injected":             {"requests: {cpu: 0.5}", "cpu: 700m", "cpu: 700m", "", "current"},
		"changed since":           {"requests: {cpu: 0.5}", "cpu: 700m", "cpu: 700m", "cpu: 900m", "current"},
		"too small to subtract":   {"requests: {cpu: 0.5}", "cpu: 700m", "cpu: 700m", "cpu: 100m", "current"},
		"with a computed request": {"limits: {cpu: 2}", "limits:", "requests: {cpu: 300m}, limits:", "", "current"},
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
			live := string(result.Texts[0])
			if !strings.Contains(live, test.was) {
				t.Fatalf("%q is not in\n%s", test.was, live)
			}
			live = strings.Replace(live, test.was, test.computed, 1)
			if test.is != "" {
				live = strings.Replace(live, test.was, test.is, 1)
			}
			rows := run(t, config, live+"status: {phase: Running}\n")
			got := string(rows[0].State)
			for _, f := range rows[0].Fields {
				got += " " + strings.Join([]string{f.Path, f.Declared, f.Live}, " ")
			}
			if got != test.want || rows[0].State == audit.Missing {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}
