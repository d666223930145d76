package admission

import (
	"context"
	"encoding/json"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/audit"
	"pillion.dev/pillion/internal/core/engine"
	"pillion.dev/pillion/internal/text/manifest"
	"pillion.dev/pillion/test/source"
)

// TestInjectedPodsAreCurrent audits the pods that the API server makes of injected manifests, with and without stamps,
// and those of the manifests before the injection.
func TestInjectedPodsAreCurrent(t *testing.T) {
	counts := tally{}
	forEachPod(t, func(config engine.Config, name string, manifest map[string]any) {
		counts.audit(t, config, name, manifest)
	}, source.Examples, source.Presets, source.Configs)
	counts.print(t)
	for what, least := range map[string]int{"injected: current": 360, "without stamps: current": 360, "plain: missing": 320} {
		if counts[what] < least {
			t.Errorf("%s: %d pods, want at least %d", what, counts[what], least)
		}
	}
}

func (c tally) audit(t *testing.T, config engine.Config, name string, object map[string]any) {
	t.Helper()
	text, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	result, err := engine.Apply(context.Background(), config, finding.Source{Text: text})
	if err != nil {
		t.Fatal(err)
	}
	if result.Texts[0] == nil {
		return
	}
	plain, err := decodeText(text)
	if err != nil {
		return
	}
	injected, err := decodeText(result.Texts[0])
	if err != nil {
		return
	}
	stampless := injected.DeepCopy()
	for key := range stampless.Annotations {
		if len(key) > 21 && key[:21] == "pillion.dev/injected-" {
			delete(stampless.Annotations, key)
		}
	}
	for what, pod := range map[string]*corev1.Pod{"plain": plain, "injected": injected, "without stamps": stampless} {
		for _, row := range audited(t, config, pod) {
			c[what+": "+string(row.State)]++
			isExpected := row.State == audit.Current || row.State == audit.Skipped
			if what == "plain" {
				isExpected = true
			}
			if !isExpected {
				t.Errorf("%s, %s: %s is %s %s %s", name, what, row.Injector, row.State, row.Reason, row.Message)
				for _, f := range row.Fields {
					t.Errorf("  %s: declared %s, found %s", f.Path, f.Declared, f.Live)
				}
			}
		}
	}
}

func audited(t *testing.T, config engine.Config, pod *corev1.Pod) []audit.Row {
	t.Helper()
	arrived := arrive(pod, true)
	arrived.APIVersion, arrived.Kind, arrived.UID = "v1", "Pod", "1"
	arrived.Status.Phase = corev1.PodRunning
	text, err := json.Marshal(arrived)
	if err != nil {
		t.Fatal(err)
	}
	stream, err := manifest.Read(text)
	if err != nil {
		t.Fatal(err)
	}
	found, err := audit.Run(context.Background(), config, stream.Items)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range found.Findings {
		t.Errorf("%v", f)
	}
	return found.Rows
}
