package injector

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// valueRow is a rule of testdata/values.yaml, with parts of pods. test/cluster sends them to the API server.
type valueRow struct {
	Rule, At          string
	Accepted, Refused map[string]any
}

func valueRows(t *testing.T) []valueRow {
	t.Helper()
	text, err := os.ReadFile("testdata/values.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var rows []valueRow
	if err := yaml.UnmarshalStrict(text, &rows); err != nil {
		t.Fatal(err)
	}
	return rows
}

// injectorOf returns a config that adds a part of a pod.
func injectorOf(t *testing.T, part map[string]any) string {
	t.Helper()
	spec, rest := map[string]any{}, map[string]any{}
	for field, value := range part {
		if field == "containers" || field == "volumes" {
			spec[field] = value
		} else {
			rest[field] = value
		}
	}
	if len(rest) > 0 {
		spec["podSpec"] = rest
	}
	text, err := json.Marshal(spec)
	if err != nil {
		t.Fatal(err)
	}
	return envoy(string(text))
}

func TestValuesThatTheAPIServerRefusesAreRefused(t *testing.T) {
	for _, row := range valueRows(t) {
		t.Run(row.Rule, func(t *testing.T) {
			one(t, injectorOf(t, row.Accepted))
			_, findings := Read(parse(t, injectorOf(t, row.Refused)))
			if got := said(findings); len(findings) != 1 || !strings.HasPrefix(got, "error: spec."+row.At+": ") {
				t.Errorf("got %q, want one error at %s", got, row.At)
			}
		})
	}
}

func TestValuesWithVariablesAreCheckedForEachPod(t *testing.T) {
	one(t, sidecar(`livenessProbe: {httpGet: {port: "${pod.labels['port']}"}}
env: [{name: A, valueFrom: {fieldRef: {fieldPath: "metadata.annotations['${workload.name}']"}}}]`))
}

func TestValuesAreLeftToANewerAPIServer(t *testing.T) {
	one(t, sidecar("env: [{name: A, valueFrom: {fieldRef: {fieldPath: spec.new}}}]")+"  kubernetesVersion: \"1.99\"\n")
}

func TestValuesThatCannotWorkAreReported(t *testing.T) {
	for _, test := range []struct{ claim, fields, want string }{
		{
			"an image with a space", "image: 'envoy: v1'",
			`spec.containers[0].image: "envoy: v1" has a space, so that no node can pull it; remove the space`,
		},
		{
			"memory in thousandths of a byte", "resources: {limits: {memory: 128m}}",
			`spec.containers[0].resources.limits.memory: 128m is 1 B, because m stands for thousandths; did you mean 128Mi?`,
		},
		{
			"a probe of a port that the container does not name", "ports: [{containerPort: 80, name: web}]\nlivenessProbe: {httpGet: {port: http}}",
			`spec.containers[0].livenessProbe.httpGet.port: no port of the container is called "http", so that no node finds it; ` +
				"add the name to one of its ports, or write a number",
		},
	} {
		t.Run(test.claim, func(t *testing.T) {
			fields := test.fields
			if !strings.HasPrefix(fields, "image:") {
				fields = "image: envoy:v1\n" + fields
			}
			_, findings := Read(parse(t, envoy("containers:\n- name: envoy\n"+indent(fields))))
			if got, want := said(findings), "warning: "+test.want+"\n"; got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}
