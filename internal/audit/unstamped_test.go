package audit_test

import (
	"strings"
	"testing"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/engine"
)

// TestAdditionsWithoutStamps audits pods whose app containers and metadata have what injectors added, and no stamp.
func TestAdditionsWithoutStamps(t *testing.T) {
	const agent = `
apiVersion: pillion.dev/v1alpha1
kind: SidecarInjector
metadata: {name: agent}
spec:
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
		"all is there":         {agent, injected, "current"},
		"one is missing":       {agent, strings.Replace(injected, "name: A,", "name: B,", 1), "stale spec.containers[0].env[0]"},
		"nothing is there":     {agent, pod(), "missing metadata.labels.agent spec.containers[0].env[0]"},
		"a sidecar next to it": {list, injected, "current"},
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

// TestStampsTellWhatIsNotTheApps audits a pod with a value that only its stamp shows to be an injector's.
func TestStampsTellWhatIsNotTheApps(t *testing.T) {
	const agent = "apiVersion: pillion.dev/v1alpha1\nkind: SidecarInjector\nmetadata: {name: agent}\n" +
		"spec: {appContainers: [{containers: [web], env: [{name: A, value: \"${pod.labels['app']}-1\"}]}]}\n"
	const uid = "  uid: \"1\"\n"
	manifest := pod(uid, "", "status: {phase: Running}\n", "")
	result, err := engine.Apply(t.Context(), read(t, agent), finding.Source{Text: []byte(manifest)})
	if err != nil || result.Texts[0] == nil {
		t.Fatal(err, result.Run.Findings())
	}
	live := strings.Replace(string(result.Texts[0]), "  namespace: shop\n", "  namespace: shop\n"+uid, 1)
	for config, want := range map[string]string{
		agent:                                 "current",
		strings.Replace(agent, "-1", "-2", 1): "stale spec.containers[0].env[0].value web-1 web-2",
	} {
		if got := describe(run(t, config, live)[0]); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
