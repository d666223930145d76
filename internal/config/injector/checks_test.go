package injector

import (
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"pillion.dev/pillion/api/v1alpha1"
)

func TestChecksThatMakeNoSenseAreRefused(t *testing.T) {
	for _, test := range []bad{
		{
			"privileged is no level to keep", with("checks: {podSecurity: privileged}"),
			[]string{`spec.checks.podSecurity: "privileged" is not one of baseline, restricted`},
		},
		{
			"a level in capitals", with("checks: {podSecurity: Restricted}"),
			[]string{`spec.checks.podSecurity: "Restricted" is not one of baseline, restricted; did you mean restricted?`},
		},
		{
			"a check is not on or off", with("checks: {requireResources: true}"),
			[]string{"spec.checks.requireResources: expected one of Off, Warn, Error, found the boolean true"},
		},
		{
			"Warning is Warn", with("checks: {requireDigest: Warning}"),
			[]string{`spec.checks.requireDigest: "Warning" is not one of Off, Warn, Error`},
		},
		{
			"a check that is not there", with("checks: {requireProbes: Error}"),
			[]string{`spec.checks.requireProbes: there is no field "requireProbes" here; known are podSecurity, requireResources, requireDigest`},
		},
		{
			"a check one level too high", with("podSecurity: restricted"),
			[]string{`spec.podSecurity: there is no field "podSecurity" here, but there is one in checks; move it there`},
		},
	} {
		test.run(t)
	}
}

func TestChecksAreOffUnlessAskedFor(t *testing.T) {
	want := v1alpha1.Checks{RequireResources: v1alpha1.CheckOff, RequireDigest: v1alpha1.CheckOff}
	if got := one(t, with("")).Spec.Checks; got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	want = v1alpha1.Checks{PodSecurity: "baseline", RequireResources: "Warn", RequireDigest: "Off"}
	if got := one(t, with("checks: {podSecurity: baseline, requireResources: Warn, requireDigest: Off}")).Spec.Checks; got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestReferencesAreWhatThePayloadCannotDoWithout(t *testing.T) {
	got := one(t, envoy(`
containers:
- name: envoy
  image: envoy:v1
  envFrom: [{configMapRef: {name: a}}, {secretRef: {name: b}}, {secretRef: {name: optional, optional: true}}]
  env:
  - {name: C, valueFrom: {configMapKeyRef: {name: c, key: k}}}
  - {name: D, valueFrom: {secretKeyRef: {name: d, key: k}}}
  - {name: AGAIN, valueFrom: {configMapKeyRef: {name: a, key: k}}}
initContainers:
- {name: init, image: envoy:v1, envFrom: [{configMapRef: {name: e}}]}
volumes:
- {name: f, configMap: {name: f}}
- {name: g, secret: {secretName: g}}
- {name: h, projected: {sources: [{configMap: {name: h}}, {secret: {name: i}}, {secret: {name: maybe, optional: true}}]}}
- {name: j, csi: {driver: d, nodePublishSecretRef: {name: j}}}
imagePullSecrets: [{name: k}]
`)).References()
	want := []Reference{
		{"ConfigMap", "a", "spec.containers[0].envFrom[0].configMapRef"},
		{"Secret", "b", "spec.containers[0].envFrom[1].secretRef"},
		{"ConfigMap", "c", "spec.containers[0].env[0].valueFrom.configMapKeyRef"},
		{"Secret", "d", "spec.containers[0].env[1].valueFrom.secretKeyRef"},
		{"ConfigMap", "e", "spec.initContainers[0].envFrom[0].configMapRef"},
		{"ConfigMap", "f", "spec.volumes[0].configMap"},
		{"Secret", "g", "spec.volumes[1].secret"},
		{"ConfigMap", "h", "spec.volumes[2].projected.sources[0].configMap"},
		{"Secret", "i", "spec.volumes[2].projected.sources[1].secret"},
		{"Secret", "j", "spec.volumes[3].csi.nodePublishSecretRef"},
		{"Secret", "k", "spec.imagePullSecrets[0]"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestAServiceAccountIsAReference(t *testing.T) {
	for account, want := range map[string]int{"mesh": 1, "default": 0, "": 0, "${workload.name}": 0} {
		s := referenceSearch{seen: map[Reference]bool{}}
		s.walk(reflect.ValueOf(corev1.PodSpec{ServiceAccountName: account}), "spec.podSpec")
		if len(s.found) != want {
			t.Errorf("%q: found %v", account, s.found)
		}
	}
}
