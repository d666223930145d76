package admission

import (
	"context"
	"encoding/json"
	"testing"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/engine"
	"pillion.dev/pillion/internal/pods/declared"
	"pillion.dev/pillion/internal/text/yaml/node"
	"pillion.dev/pillion/internal/text/yaml/read"
	"pillion.dev/pillion/test/source"
)

// TestPodsAreAsTheirManifestsDeclare makes pods of injected manifests as the API server does, with its defaults and
// what plugins add. In each of them, everything that the manifest declares is there and has the same meaning.
func TestPodsAreAsTheirManifestsDeclare(t *testing.T) {
	compared := 0
	forEachPod(t, func(config engine.Config, name string, manifest map[string]any) {
		compared += checkDeclared(t, config, name, manifest)
	}, source.Examples, source.Presets, source.Cases)
	t.Logf("%d pods", compared)
	if compared < 300 {
		t.Errorf("only %d pods are compared, which proves little", compared)
	}
}

// forEachPod calls a function for the pods of sources, and for random ones if a source has none. Configs with mistakes
// are left out.
func forEachPod(
	t *testing.T, do func(config engine.Config, name string, manifest map[string]any), loads ...func(string) ([]source.Source, error),
) {
	t.Helper()
	const randomPods = 20
	for _, load := range loads {
		for _, s := range loaded(t, load) {
			config, findings := engine.ReadConfig(finding.Source{Text: []byte(s.Config)})
			if finding.HasError(findings) {
				continue
			}
			for _, item := range s.Items {
				for _, found := range Find(item) {
					do(config, s.Name, found.Manifest)
				}
			}
			for seed := int64(0); len(s.Items) == 0 && seed < randomPods; seed++ {
				manifest, _ := randomPod(seed)
				do(config, s.Name, manifest)
			}
		}
	}
}

// checkDeclared returns the number of pods that it has compared: 0 if no API server accepts the pod.
func checkDeclared(t *testing.T, config engine.Config, name string, manifest map[string]any) int {
	t.Helper()
	text, err := json.Marshal(manifest)
	if err != nil {
		t.Fatal(err)
	}
	result, err := engine.Apply(context.Background(), config, finding.Source{Text: text})
	if err != nil {
		t.Fatal(err)
	}
	if result.Texts[0] != nil {
		text = result.Texts[0]
	}
	pod, err := decodeText(text)
	if err != nil || pod.Spec.DeprecatedServiceAccount != "" { // the older name of another field
		return 0
	}
	live, err := json.Marshal(arrive(pod, true))
	if err != nil {
		t.Fatal(err)
	}
	var wanted, found node.Node
	if read.Into(text, &wanted) != nil || read.Into(live, &found) != nil {
		t.Fatalf("%s: no YAML", name)
	}
	spec := func(document node.Node) *node.Node { return node.Get(document.Content[0], "spec") }
	for _, d := range declared.InPod(spec(wanted), spec(found), "spec") {
		t.Errorf("%s: %s: declared %s, found %s\n%s", name, d.Path, node.Brief(d.Declared), node.Brief(d.Live), text)
	}
	return 1
}
