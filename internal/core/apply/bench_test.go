package apply_test

import (
	"testing"

	"pillion.dev/pillion/internal/config/injector"
	"pillion.dev/pillion/internal/text/yaml/node"
	"pillion.dev/pillion/internal/text/yaml/read"
)

const (
	config = `
apiVersion: pillion.dev/v1alpha1
kind: SidecarInjector
metadata: {name: envoy}
spec:
  containers:
  - name: envoy
    image: envoy:1
    ports: [{containerPort: 15001}]
    volumeMounts: [{name: conf, mountPath: /etc/envoy}]
  volumes: [{name: conf, configMap: {name: envoy}}]
`
	pod = `
metadata: {labels: {app: web}}
spec:
  containers:
  - name: app
    image: app:1
    ports: [{containerPort: 8080}]
    env: [{name: A, value: b}, {name: C, value: d}]
  volumes: [{name: data, emptyDir: {}}]
`
)

func root(b *testing.B, text string) *node.Node {
	b.Helper()
	var document node.Node
	if err := read.Into([]byte(text), &document); err != nil {
		b.Fatal(err)
	}
	return document.Content[0]
}

// BenchmarkApply is one injector and one pod, nodes in and nodes out.
func BenchmarkApply(b *testing.B) {
	injectors, findings := injector.Read(root(b, config))
	if len(findings) > 0 {
		b.Fatal(findings)
	}
	before, plan := root(b, pod), injectors[0].Plan()
	b.ReportAllocs()
	for b.Loop() {
		p := alone(before)
		if findings := p.want(plan, nil, nil); len(findings) > 0 || len(p.Entries) == 0 {
			b.Fatal(findings)
		}
	}
}
