package playground_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/edge/playground"
	"pillion.dev/pillion/internal/output/page"
)

const config = `apiVersion: pillion.dev/v1alpha1
kind: SidecarInjector
metadata:
  name: logs
spec:
  selector: {matchLabels: {tier: web}}
  containers:
  - name: fluent-bit
    image: fluent/fluent-bit:3.2.4
`

// manifests has two workloads as kubectl get -o yaml prints them, of which the second has a container whose name is
// given, in line 49.
const manifests = `apiVersion: v1
items:
- apiVersion: apps/v1
  kind: Deployment
  metadata:
    annotations:
      deployment.kubernetes.io/revision: "3"
      kubectl.kubernetes.io/last-applied-configuration: |
        {"apiVersion":"apps/v1","kind":"Deployment"}
    creationTimestamp: "2026-01-02T03:04:05Z"
    generation: 3
    name: web
    namespace: shop
    resourceVersion: "1234"
    uid: 0a1b2c
  spec:
    selector:
      matchLabels: {app: web}
    template:
      metadata:
        creationTimestamp: null
        labels: {app: web, tier: web}
      spec:
        containers:
        - name: web
          image: nginx:1.27
  status:
    conditions:
    - type: Available
      status: "True"
    replicas: 1
- apiVersion: apps/v1
  kind: Deployment
  metadata:
    annotations:
      team: checkout
      deployment.kubernetes.io/revision: "1"
    name: api
    namespace: shop
    uid: 1b2c3d
  spec:
    selector:
      matchLabels: {app: api}
    template:
      metadata:
        labels: {app: api, tier: web}
      spec:
        containers:
        - name: %s
          image: api:1
          ports: [{containerPort: 8080}]
  status: {replicas: 1}
kind: List
metadata:
  resourceVersion: ""
`

func TestObjectsOfAClusterAreTakenAsTheyAre(t *testing.T) {
	got := playground.Run(config, fmt.Sprintf(manifests, "api"))
	if text := got.Outputs[0].Text; strings.Count(text, "name: fluent-bit") != 2 || !strings.Contains(text, "uid: 0a1b2c\n") {
		t.Errorf("the result is %s", text)
	}
	if len(got.Rows) != 2 || got.Rows[0].State != "would inject" || got.Rows[1].Location != "manifests.yaml:32" {
		t.Errorf("the decisions are %v", got.Rows)
	}
}

func TestLinesAreThoseOfTheText(t *testing.T) {
	got := playground.Run(config, fmt.Sprintf(manifests, "fluent-bit"))
	if len(got.Marks) != 1 || got.Marks[0].Line != 49 || got.Marks[0].File != "manifests.yaml" || got.Marks[0].Severity != "error" {
		t.Errorf("the marks are %v, want one at line 49", got.Marks)
	}
	out := got.Outputs[0]
	const counts = "2 workloads: 1 held back, 1 refused; inject would change nothing without --keep-going"
	if len(out.Problems) != 1 || out.Problems[0].Text != counts {
		t.Errorf("the problems are %v", out.Problems)
	}
	if injected := "name: fluent-bit\n          image: fluent"; strings.Count(out.Text, injected) != 1 || len(got.Diff) == 0 {
		t.Errorf("the other workload does not get its sidecar: %q", out.Text)
	}
	got = playground.Run(config+"    imagee: a\n", fmt.Sprintf(manifests, "fluent-bit"))
	if len(got.Marks) != 1 || got.Marks[0].Line != 10 || got.Marks[0].File != "injector.yaml" || len(got.Rows)+len(got.Diff) > 0 {
		t.Errorf("the marks are %v, want one at line 10 of the config", got.Marks)
	}
}

func TestASelectorForWhatDoesNotMatch(t *testing.T) {
	text := strings.ReplaceAll(fmt.Sprintf(manifests, "api"), "app: api, tier: web", "app: api, tier: backend")
	config := "# ours\n" + strings.Replace(config, "{matchLabels: {tier: web}}", "{matchLabels: {tier: web}} # theirs", 1)
	got := playground.Run(config, text)
	chosen := got.Selectors[32]
	if len(got.Selectors) != 1 || chosen.Label != "tier=backend" {
		t.Fatalf("the selectors are %v", got.Selectors)
	}
	want := strings.Replace(config, "tier: web", "tier: backend", 1)
	if chosen.Config != want {
		t.Errorf("the config becomes %s", chosen.Config)
	}
	if got := playground.Run(chosen.Config, text); got.Rows[0].Location != "manifests.yaml:32" || got.Rows[0].State != "would inject" {
		t.Errorf("with it, the decisions are %v", got.Rows)
	}
	unlike := strings.Replace(text, "tier: backend", "team: shop", 1)
	if got := playground.Run(config, unlike).Selectors[32]; !strings.Contains(got.Config, "{matchLabels: {app: api}} # theirs") {
		t.Errorf("without a label of the selector, the config becomes %s", got.Config)
	}
	for name, other := range map[string]string{
		"several injectors": config + "---\n" + strings.Replace(config, "name: logs", "name: more", 1),
		"other labels":      strings.Replace(config, "spec:", "spec:\n  selectorScope: Workload", 1),
		"a broken config":   "{{",
		"a list":            "apiVersion: v1\nkind: List\nitems:\n- " + strings.ReplaceAll(strings.TrimSpace(config[7:]), "\n", "\n  "),
	} {
		if got := playground.Run(other, text); len(got.Selectors) > 0 {
			t.Errorf("%s: the selectors are %v", name, got.Selectors)
		}
	}
}

func TestPresetsRun(t *testing.T) {
	presets := playground.Presets()
	if len(presets) != 10 {
		t.Errorf("there are %d presets", len(presets))
	}
	const image, port = "image: nginx:1.27", "\n          ports: [{containerPort: 80}]"
	for _, p := range presets {
		got := playground.Run(p.Text, strings.ReplaceAll(fmt.Sprintf(manifests, "api"), image, image+port))
		said := slices.DeleteFunc(got.Said, func(l page.Line) bool { return l.Code == string(finding.ReferenceMissing) })
		if len(got.Marks)+len(said) > 0 || len(got.Diff) == 0 || len(got.Outputs) != 4 {
			t.Errorf("%s: %v %v", p.Name, got.Marks, said)
		}
	}
}

func TestEmptyTextsAreNoFailure(t *testing.T) {
	if got := playground.Run(config, ""); len(got.Marks)+len(got.Rows) > 0 || got.Outputs[3].Name != "Plan" {
		t.Errorf("without manifests: %+v", got)
	}
	if got := playground.Run("", fmt.Sprintf(manifests, "api")); len(got.Said)+len(got.Marks) != 1 || len(got.Outputs) != 1 {
		t.Errorf("without a config: %+v", got)
	}
}

func FuzzRun(f *testing.F) {
	f.Add(config, fmt.Sprintf(manifests, "api"))
	f.Add(config, `{"kind": "Pod", "apiVersion": "v1", "metadata": {"uid": "a"}, "status": {"b": 1}}`)
	f.Add("{{", "a: [")
	f.Add(config, "apiVersion: v1\nkind: Pod\nmetadata: {labels: {app: a}}\n")
	f.Fuzz(func(t *testing.T, config, manifests string) {
		if _, err := json.Marshal(playground.Run(config, manifests)); err != nil {
			t.Error(err)
		}
	})
}
