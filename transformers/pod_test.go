package transformers_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/transformers"
)

func TestGetGivesMappingsWithStringsAsKeys(t *testing.T) {
	pod, err := transformers.NewPod([]byte("metadata:\n  annotations: {8080: a, b: yes, c: [1, {2: d}]}\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := any(map[string]any{"8080": "a", "b": true, "c": []any{1, map[string]any{"2": "d"}}})
	if diff := cmp.Diff(want, pod.Get("metadata", "annotations")); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestATransformerCanBeTestedWithoutARun(t *testing.T) {
	text := []byte(`
metadata:
  labels: {app: web}
spec:
  securityContext: &secure {runAsNonRoot: true}
  containers:
  - {name: web, image: nginx, securityContext: *secure}
`)
	pod, err := transformers.NewPod(text)
	if err != nil {
		t.Fatal(err)
	}
	copy(text, "overwritten by the caller")
	pod.Path = "spec.template"
	pod.Injector.Metadata.Name = "logs"
	findings := outside(pod)
	if len(findings) != 1 || findings[0].Field.Path != "spec.template.spec.containers.web.env" {
		t.Error(findings) // the container has no variables, so that there is none to replace
	}
	for _, test := range []struct {
		path []string
		want any
	}{
		{[]string{"metadata", "labels"}, map[string]any{"app": "web", "tier": "web"}},
		{[]string{"metadata", "annotations", "example.com/injected-by"}, "logs"},
		{[]string{"spec", "containers", "web", "securityContext", "runAsNonRoot"}, true},
		{[]string{"spec", "containers", "web", "ports", "9090/TCP", "containerPort"}, 9090},
		{[]string{"spec", "initContainers", "warm", "image"}, "warm:1"},
		{[]string{"spec", "terminationGracePeriodSeconds"}, 7},
		{[]string{"spec", "volumes", "none"}, nil},
	} {
		if diff := cmp.Diff(test.want, pod.Get(test.path...)); diff != "" {
			t.Errorf("%q: -want +got:\n%s", test.path, diff)
		}
	}
}

func TestTheZeroPodIsAnEmptyPodTemplate(t *testing.T) {
	var pod transformers.Pod
	if found := pod.Get("spec", "containers", "web"); found != nil {
		t.Error(found)
	}
	pod.Path = "spec.template"
	findings := pod.Set("payments", "metadata", "labels", "team")
	findings = append(findings, pod.Append(map[string]any{"name": "logs"}, "spec", "containers")...)
	if len(findings) > 0 {
		t.Error(findings)
	}
	want := any(map[string]any{
		"metadata": map[string]any{"labels": map[string]any{"team": "payments"}},
		"spec":     map[string]any{"containers": []any{map[string]any{"name": "logs"}}},
	})
	if diff := cmp.Diff(want, pod.Get()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestWhatIsNoPodTemplateIsAFinding(t *testing.T) {
	for _, text := range []string{"[]", "text", "null", "{", "a: 1\n---\nb: 2\n", deployment} {
		pod, err := transformers.NewPod([]byte(text))
		var found finding.Finding
		if pod != nil || !errors.As(err, &found) || found.Severity != finding.Error || found.Code != finding.InvalidItem {
			t.Errorf("%q: %v", text, err)
		}
	}
}
