package transformers_test

import (
	"context"
	"strings"
	"testing"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/fn"
	"pillion.dev/pillion/transformers"
)

// A transformer must not change nodes that are shared with the original. One that does so nevertheless is not ignored silently: the
// result is what it wants.
func TestAChangeOfASharedNodeIsNotLost(t *testing.T) {
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
	wrong := func(pod *transformers.Pod) []finding.Finding {
		pod.Get("spec", "containers", "web", "image").Value = "nginx:1.28"
		return nil
	}
	result, err := fn.Apply(context.Background(), config.After(wrong), fn.Source{Text: []byte(`apiVersion: v1
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
