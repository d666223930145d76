package transformers_test

import (
	"context"
	"fmt"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/fn"
	"pillion.dev/pillion/transformers"
)

// A transformer of another program: every pod that gets a sidecar tells which team pays for it, and the sidecar logs
// as much as the app does.
func Example() {
	level := func(pod *transformers.Pod) []finding.Finding {
		findings := pod.Set("payments", "metadata", "labels", "team")
		if app := pod.Get("spec", "containers", "web", "env", "LEVEL", "value"); app != nil {
			level := map[string]any{"name": "LEVEL", "value": app}
			findings = append(findings, pod.Append(level, "spec", "initContainers", "logs", "env")...)
		}
		return findings
	}

	config, _ := fn.ReadConfig(fn.Source{Text: []byte(`
apiVersion: pillion.dev/v1alpha1
kind: SidecarInjector
metadata: {name: logs}
spec:
  stamp: None
  containers:
  - name: logs
    image: fluent-bit:3.2
`)})
	result, _ := fn.Apply(context.Background(), config.After(level), fn.Source{Text: []byte(`apiVersion: v1
kind: Pod
metadata:
  name: web
spec:
  containers:
  - name: web
    image: nginx:1.27
    env:
    - {name: LEVEL, value: debug} # until it works
`)})
	fmt.Print(string(result.Texts[0]))
	// Output:
	// apiVersion: v1
	// kind: Pod
	// metadata:
	//   name: web
	//   labels:
	//     team: payments
	// spec:
	//   containers:
	//   - name: web
	//     image: nginx:1.27
	//     env:
	//     - {name: LEVEL, value: debug} # until it works
	//   initContainers:
	//   - name: logs
	//     image: fluent-bit:3.2
	//     restartPolicy: Always
	//     env:
	//     - name: LEVEL
	//       value: debug
}
