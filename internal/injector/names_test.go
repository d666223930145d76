package injector

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestObjectNames(t *testing.T) {
	in := one(t, envoy(`containers:
- name: envoy
  image: envoy:v1
  envFrom: [{configMapRef: {name: a, optional: true}}]
  env: [{name: X, value: a}, {name: Y, valueFrom: {secretKeyRef: {name: b, key: k}}}]
initContainers:
- name: init
  image: init:v1
  envFrom: [{secretRef: {name: "c-${workload.name}"}}]
appContainers:
- env: [{name: Z, valueFrom: {configMapKeyRef: {name: d, key: k}}}]
  envFrom: [{configMapRef: {name: e}}]
volumes:
- {name: v, projected: {sources: [{configMap: {name: f}}]}}
imagePullSecrets: [{name: g}]
podSpec: {serviceAccountName: h, priorityClassName: i}
`))
	want := []ObjectName{
		{"ServiceAccount", "h", ""},
		{"PriorityClass", "i", ""},
		{"ConfigMap", "a", "envoy"},
		{"Secret", "b", "envoy"},
		{"Secret", "c-${workload.name}", "init"},
		{"ConfigMap", "d", ""},
		{"ConfigMap", "e", ""},
		{"ConfigMap", "f", "v"},
		{"Secret", "g", ""},
	}
	if diff := cmp.Diff(want, in.ObjectNames()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
