package podtemplate_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/podtemplate"
	"pillion.dev/pillion/internal/yaml/node"
)

const podWithReferences = `serviceAccountName: a
priorityClassName: b
imagePullSecrets: [{name: c}]
initContainers:
- name: init
  env: [{name: A, value: x}, {name: B, valueFrom: {configMapKeyRef: {name: d, key: k}}}]
  envFrom: [{secretRef: {name: e}}]
containers:
- name: app
  env: [{name: B, valueFrom: {secretKeyRef: {name: f, key: k}}}]
  envFrom: [{prefix: X}, {configMapRef: {name: g}}]
volumes:
- {name: v, configMap: {name: h}}
- {name: w, secret: {secretName: i}}
- {name: x, projected: {sources: [{secret: {name: j}}, {configMap: {name: k}}]}}
- {name: y, persistentVolumeClaim: {claimName: l}}
- {name: z, emptyDir: {}}
`

func TestReferences(t *testing.T) {
	spec := parseSpec(t, podWithReferences)
	var got []string
	for _, r := range podtemplate.References(spec) {
		got = append(got, strings.TrimSpace(strings.Join([]string{r.Kind, r.Path(), r.Node.Value, r.Entry()}, " ")))
	}
	want := []string{
		"ServiceAccount serviceAccountName a",
		"PriorityClass priorityClassName b",
		"Secret imagePullSecrets[0].name c",
		"ConfigMap initContainers[0].env[1].valueFrom.configMapKeyRef.name d init",
		"Secret initContainers[0].envFrom[0].secretRef.name e init",
		"Secret containers[0].env[0].valueFrom.secretKeyRef.name f app",
		"ConfigMap containers[0].envFrom[1].configMapRef.name g app",
		"ConfigMap volumes[0].configMap.name h v",
		"Secret volumes[1].secret.secretName i w",
		"Secret volumes[2].projected.sources[0].secret.name j x",
		"ConfigMap volumes[2].projected.sources[1].configMap.name k x",
		"PersistentVolumeClaim volumes[3].persistentVolumeClaim.claimName l y",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestReferencesThatOthersShareAreLeftOut(t *testing.T) {
	spec := parseSpec(t, "volumes:\n- {name: v, configMap: &c {name: h}}\n- {name: w, configMap: *c}\n- {name: x, configMap: {<<: *c}}\n")
	if got := podtemplate.References(spec); len(got) != 1 || got[0].Path() != "volumes[0].configMap.name" {
		t.Errorf("got %v", got)
	}
}

func TestSetNamesChangesOnlyTheCopy(t *testing.T) {
	spec := parseSpec(t, podWithReferences)
	were := podtemplate.References(spec)
	renamed := slices.Clone(were)
	for i, r := range renamed {
		renamed[i].Node = node.String("new-" + r.Node.Value)
	}
	changed := node.Clone(spec)
	podtemplate.SetNames(changed, renamed)
	for i, r := range podtemplate.References(changed) {
		was := were[i]
		if r.Path() != was.Path() || r.Node.Value != "new-"+was.Node.Value || strings.HasPrefix(was.Node.Value, "new") {
			t.Errorf("%s: %s became %s: %s", was.Path(), was.Node.Value, r.Path(), r.Node.Value)
		}
	}
	if diff := cmp.Diff(parseSpec(t, podWithReferences), spec); diff != "" {
		t.Errorf("the original has changed (-want +got):\n%s", diff)
	}
}

func parseSpec(t *testing.T, text string) *yaml.Node {
	t.Helper()
	var document yaml.Node
	if err := yaml.Unmarshal([]byte(text), &document); err != nil {
		t.Fatal(err)
	}
	return document.Content[0]
}
