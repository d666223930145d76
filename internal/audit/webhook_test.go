package audit_test

import (
	"strings"
	"testing"
)

// TestWebhooks audits pods that admission webhooks have added containers to. What an injector does to the app's
// containers, or takes from them, is not for these.
func TestWebhooks(t *testing.T) {
	const forApp = config + `    shareVolumePolicy: {type: Enabled}
    env: [{name: APP, value: "${container.name}"}]
  appContainers: [{env: [{name: PROXY, value: http://127.0.0.1}]}]
`
	const mesh = `  - {name: istio-proxy, image: "istio/proxyv2:1.22", volumeMounts: [{name: certs, mountPath: /certs}]}` + "\n"
	injected := pod("image: \"web:1\"", `image: "web:1", env: [{name: PROXY, value: http://127.0.0.1}]`,
		"name: proxy,", "name: proxy, env: [{name: APP, value: web}],",
		"containers:\n", "volumes: [{name: certs, emptyDir: {}}]\n  containers:\n"+mesh)
	replicaSet := func(containers string) string {
		return `{apiVersion: apps/v1, kind: ReplicaSet, metadata: {name: web-7d4b9c, namespace: shop},
  spec: {template: {metadata: {labels: {app: web}}, spec: {containers: [` + containers + `]}}}}`
	}
	const web, proxy = `{name: web, image: "web:1"}`, `{name: proxy, image: "proxy:2.1"}`
	stampedMesh := strings.Replace(injected, "annotations: {}", stampOfMesh, 1)
	removed := strings.Replace(injected, "name: PROXY,", "name: OTHER,", 1)
	stale := func(name string) string {
		return "stale spec.containers[2].env[APP].value web " + name + " spec.containers[2].volumeMounts[/certs] spec.containers[0].env[0]"
	}
	other := strings.ReplaceAll(injected, "istio-proxy", "mesh")
	for name, c := range map[string]struct {
		texts []string
		want  string
	}{
		"well-known":                     {[]string{injected}, "current"},
		"not in the template":            {[]string{other, replicaSet(web + ", " + proxy)}, "current"},
		"unknown":                        {[]string{other}, stale("mesh")},
		"in the template":                {[]string{other, replicaSet("{name: mesh, image: mesh}, " + web)}, stale("mesh")},
		"nothing of the template":        {[]string{other, replicaSet("{name: before, image: web}")}, stale("mesh")},
		"missing next to it":             {[]string{removed}, "stale spec.containers[1].env[0]"},
		"well-known and stamped":         {[]string{stampedMesh}, stale("istio-proxy")},
		"well-known and in the template": {[]string{injected, replicaSet("{name: istio-proxy}, " + web)}, stale("istio-proxy")},
		"well-known, and the only one": {
			[]string{pod("name: web,", "name: istio-proxy,")}, "stale spec.containers[1].env[APP] spec.containers[0].env[0]",
		},
	} {
		t.Run(name, func(t *testing.T) {
			if got := describe(run(t, forApp, c.texts...)[0]); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// stampOfMesh is a stamp that names a variable in the container istio-proxy.
const stampOfMesh = `annotations: {pillion.dev/injected-other: "1 c/istio-proxy/env(X:jZTMfm) SDlvHo"}`
