package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// workloadKinds are the kinds in all shapes that get a sidecar.
var workloadKinds = []string{"CronJob", "DaemonSet", "Deployment", "Job", "Pod", "ReplicaSet", "StatefulSet"}

type object struct {
	Kind     string
	Metadata struct{ Name string }
}

func TestShapesRepeatTheirWorkloadsWithOtherNames(t *testing.T) {
	for _, s := range shapesForTest(t) {
		n := 2 * len(s.list.workloads)
		seen := map[object]bool{}
		workloads := 0
		for _, o := range objectsOf(t, s.list, n) {
			if seen[o] {
				t.Errorf("%s: %+v twice", s.name, o)
			}
			seen[o] = true
			if slices.Contains(workloadKinds, o.Kind) {
				workloads++
			}
		}
		if workloads != n || len(seen) != n*resourcesPerWorkload {
			t.Errorf("%s: %d workloads among %d objects, want %d", s.name, workloads, len(seen), n)
		}
	}
}

func TestShapesAreWhatTheirNamesSay(t *testing.T) {
	all := shapesForTest(t)
	varied, asJSON, crlf := all[0].list, all[1].list, all[2].list
	for _, kind := range workloadKinds {
		if !strings.Contains(strings.Join(varied.workloads, ""), "kind: "+kind) || !strings.Contains(strings.Join(asJSON.workloads, ""), kind) {
			t.Errorf("no %s", kind)
		}
	}
	for _, style := range []string{" # ", ": |", ": >", "{name: ", "&labels", "'", `"`, "\n      containers:", "\n        containers:"} {
		if !strings.Contains(strings.Join(varied.workloads, ""), style) {
			t.Errorf("no varied workload has %q", style)
		}
	}
	for _, w := range asJSON.workloads {
		if first, _, _ := strings.Cut(w, "\n"); !strings.HasPrefix(first, "- {") {
			t.Errorf("no JSON: %s", first)
		}
	}
	for _, part := range []string{crlf.head, crlf.workloads[0], crlf.tail} {
		if strings.Count(part, "\n") != strings.Count(part, "\r\n") {
			t.Errorf("not all lines end with CRLF: %.200s", part)
		}
	}
}

func shapesForTest(t *testing.T) []shape {
	t.Helper()
	t.Chdir(root)
	all, err := allShapes()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range all {
		if len(s.list.workloads) > tiny.plan.shaped {
			t.Errorf("%s: %d workloads, and only %d are tested", s.name, len(s.list.workloads), tiny.plan.shaped)
		}
	}
	return all
}

func objectsOf(t *testing.T, list text, n int) []object {
	t.Helper()
	path := filepath.Join(t.TempDir(), "list.yaml")
	if _, err := list.write(path, n); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	asJSON, err := yaml.YAMLToJSON(file)
	if err != nil {
		t.Fatal(err)
	}
	var parsed struct{ Items []object }
	if err := json.Unmarshal(asJSON, &parsed); err != nil {
		t.Fatal(err)
	}
	return parsed.Items
}
