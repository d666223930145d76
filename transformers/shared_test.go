package transformers_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/fn"
	"pillion.dev/pillion/transformers"
)

// A transformer must not change nodes that are shared with the original. One that does so nevertheless is not ignored silently: the
// result is what it wants.
func TestAChangeOfASharedNodeIsNotLost(t *testing.T) {
	wrong := func(pod *transformers.Pod) []finding.Finding {
		pod.Get("spec", "containers", "web", "image").Value = "nginx:1.28"
		return nil
	}
	result, err := fn.Apply(context.Background(), logsConfig(t).After(wrong), fn.Source{Text: []byte(`apiVersion: v1
kind: Pod
metadata:
  name: web
spec:
  containers:
  - name: web
    image: nginx:1.27
    command: [nginx]
    args: [-q]
`)})
	if err != nil {
		t.Fatal(err)
	}
	if text := string(result.Texts[0]); !strings.Contains(text, "nginx:1.28") || !strings.Contains(text, "fluent-bit") {
		t.Error(text)
	}
}

// All pods share the nodes of the payload, unless there are transformers: a change of them for one pod does not reach another.
func TestAChangeOfThePayloadStaysInItsPod(t *testing.T) {
	wrong := func(pod *transformers.Pod) []finding.Finding {
		pod.Get("spec", "initContainers", "logs", "image").Value += "-" + pod.Object.Name
		return nil
	}
	var pods strings.Builder
	for i := range 20 {
		fmt.Fprintf(&pods, "---\napiVersion: v1\nkind: Pod\nmetadata:\n  name: web%d\nspec:\n  containers:\n  - name: web\n    image: nginx\n", i)
	}
	result, err := fn.Apply(context.Background(), logsConfig(t).After(wrong), fn.Source{Text: []byte(pods.String())})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 20 {
		if want := fmt.Sprintf("image: fluent-bit:3.2-web%d\n", i); !strings.Contains(string(result.Texts[0]), want) {
			t.Errorf("there is no %q in\n%s", want, result.Texts[0])
		}
	}
}

func logsConfig(t *testing.T) fn.Config {
	t.Helper()
	config, findings := fn.ReadConfig(fn.Source{Text: []byte(`
apiVersion: pillion.dev/v1alpha1
kind: SidecarInjector
metadata: {name: logs}
spec:
  stamp: None
  containers:
  - name: logs
    image: fluent-bit:3.2
`)})
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	return config
}
