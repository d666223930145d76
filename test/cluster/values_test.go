package cluster

import (
	"encoding/json"
	"os"
	"testing"

	"sigs.k8s.io/yaml"
)

// TestValuesAreRefusedByTheAPIServer compares the values that a config cannot have with the API server.
func TestValuesAreRefusedByTheAPIServer(t *testing.T) {
	text, err := os.ReadFile("../../internal/config/injector/testdata/values.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var rows []struct {
		Rule, At          string
		Accepted, Refused map[string]any
	}
	if err := yaml.UnmarshalStrict(text, &rows); err != nil {
		t.Fatal(err)
	}
	c := Start(t, "--disable-admission-plugins", lookups)
	isAccepted := func(part map[string]any) (bool, Answer) {
		answer, err := c.DryRun(podWith(t, part))
		if err != nil {
			t.Fatal(err)
		}
		return answer.Accepted(), answer
	}
	for _, row := range rows {
		if ok, answer := isAccepted(row.Accepted); !ok {
			t.Errorf("%s: %v is refused: %s", row.Rule, row.Accepted, answer.Body)
		}
		if ok, _ := isAccepted(row.Refused); ok {
			t.Errorf("%s: %v is accepted", row.Rule, row.Refused)
		}
	}
}

// podWith returns a pod with these fields in its spec, and a container if they have none.
func podWith(t *testing.T, spec map[string]any) []byte {
	t.Helper()
	if spec["containers"] == nil {
		spec["containers"] = []any{map[string]any{"name": "app", "image": "app"}}
	}
	manifest, err := json.Marshal(map[string]any{
		"apiVersion": "v1", "kind": "Pod", "metadata": map[string]any{"name": "p", "namespace": "default"}, "spec": spec,
	})
	if err != nil {
		t.Fatal(err)
	}
	return manifest
}
