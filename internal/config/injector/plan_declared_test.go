package injector_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pillion.dev/pillion/internal/pods/pod"
)

func TestDeclaredNames(t *testing.T) {
	spec := `  containers:
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
`
	want := pod.Declared{
		"ServiceAccount": {"h": true}, "PriorityClass": {"i": true},
		"ConfigMap": {"a": true, "d": true, "e": true, "f": true}, "Secret": {"c-${workload.name}": true, "b": true, "g": true},
	}
	if diff := cmp.Diff(want, planOf(t, strings.ReplaceAll(spec, "\n", "\n  ")).Declared()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
