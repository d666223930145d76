package audit_test

import (
	"strings"
	"testing"
)

// TestAdditionsWithoutStamps audits pods whose app containers and metadata have what injectors without stamps added.
func TestAdditionsWithoutStamps(t *testing.T) {
	const agent = `
apiVersion: pillion.dev/v1alpha1
kind: SidecarInjector
metadata: {name: agent}
spec:
  stamp: None
  appContainers:
  - containers: [web]
    env: [{name: A, value: "1"}, {name: POD, valueFrom: {fieldRef: {fieldPath: metadata.name}}}]
    envFrom: [{configMapRef: {name: agent}}]
    volumeMounts: [{name: agent, mountPath: /agent}]
  volumes: [{name: agent, emptyDir: {}}]
  patchPodMetadata: [{labels: {agent: "true"}}]
`
	const reader = agent + `---
apiVersion: pillion.dev/v1alpha1
kind: SidecarInjector
metadata: {name: reader}
spec:
  containers:
  - name: proxy
    image: proxy:2.1
    mode: Container
    shareVolumePolicy: {type: Enabled}
    transferEnv: [{sourceContainerName: web}]
`
	const env = `env: [{name: A, value: "1"}, {name: POD, valueFrom: {fieldRef: {apiVersion: v1, fieldPath: metadata.name}}}], `
	injected := pod("app: web", `app: web, agent: "true"`, "spec:\n", "spec:\n  volumes: [{name: agent, emptyDir: {}}]\n",
		"image: \"web:1\"", env+`envFrom: [{configMapRef: {name: agent}}], volumeMounts: [{name: agent, mountPath: /agent}], image: "web:1"`)
	list := "apiVersion: pillion.dev/v1alpha1\nkind: SidecarInjectorList\nitems:\n"
	for _, item := range strings.Split(strings.TrimSpace(reader), "\n---\n") {
		list += "- " + strings.ReplaceAll(item, "\n", "\n  ") + "\n"
	}
	for name, c := range map[string]struct{ config, pod, want string }{
		"all is there":          {agent, injected, "current"},
		"one is missing":        {agent, strings.Replace(injected, "name: A,", "name: B,", 1), "stale spec.containers[0].env[0]"},
		"nothing is there":      {agent, pod(), "missing metadata.labels.agent spec.containers[0].env[0]"},
		"a sidecar next to it":  {list, injected, "current"},
		"the same of the app's": {strings.Replace(agent, "stamp: None", "stamp: Annotation", 1), injected, "current"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, row := range run(t, c.config, c.pod) {
				if got := describe(row); !strings.HasPrefix(got, c.want) {
					t.Errorf("%s: got %s, want %s", row.Injector, got, c.want)
				}
			}
		})
	}
}
