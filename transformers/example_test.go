package transformers_test

import (
	"bytes"
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/transformers"
)

func ExampleSidecars_Apply() {
	sidecars, findings := transformers.Read(transformers.Source{File: "logs.yaml", Text: []byte(`
apiVersion: pillion.dev/v1alpha1
kind: SidecarInjector
metadata: {name: logs}
spec:
  selector: {matchLabels: {app: web}}
  containers:
  - {name: logs, image: "fluent-bit:3.2"}
`)})
	if err := finding.Err(findings); err != nil {
		fmt.Println(err)
	}
	pod := func(name string) transformers.Source {
		return transformers.Source{File: name + ".yaml", Text: []byte(`apiVersion: v1
kind: Pod
metadata: {name: ` + name + `, labels: {app: ` + name + `}}
spec: {containers: [{name: app, image: app}]}
`)}
	}
	result, err := sidecars.Apply(context.Background(), pod("web"), pod("cron"))
	if err != nil {
		fmt.Println(err) // the context has ended
	}
	for _, o := range result.Outcomes {
		fmt.Println(o.File.Path, o.Object, o.Decision, o.Reason)
	}
	fmt.Println(sidecars.Names(), result.Texts[1] == nil)
	fmt.Print(result.Summary)
	// Output:
	// web.yaml pod/web injected Injected
	// cron.yaml pod/cron skipped SelectorMismatch
	// [logs] true
	// 2 workloads: 1 injected, 1 skipped
}

func ExampleNew() {
	sidecars, findings := transformers.New(v1alpha1.SidecarInjector{
		Metadata: v1alpha1.Metadata{Name: "logs"},
		Spec: v1alpha1.SidecarInjectorSpec{
			Jobs: "Nativ",
			Containers: []v1alpha1.Container{{
				Container: corev1.Container{Name: "logs", Image: "fluent-bit:3.2"},
			}},
		},
	})
	fmt.Println(sidecars.Names())
	for _, f := range findings {
		fmt.Println(f.Severity, f.Code, f.Field.Path, f.Field.Proposed)
	}
	// Output:
	// []
	// error InvalidConfig spec.jobs Native
}

func ExampleSidecars_Removing() {
	sidecars, _ := transformers.New(v1alpha1.SidecarInjector{
		Metadata: v1alpha1.Metadata{Name: "logs"},
		Spec: v1alpha1.SidecarInjectorSpec{
			Containers: []v1alpha1.Container{{Container: corev1.Container{Name: "logs", Image: "fluent-bit:3.2"}}},
		},
	})
	text := []byte("{apiVersion: v1, kind: Pod, metadata: {name: web}, spec: {containers: [{name: web, image: nginx}]}}\n")
	injected, _ := sidecars.Apply(context.Background(), transformers.Source{Text: text})
	removed, _ := sidecars.Removing().Apply(context.Background(), transformers.Source{Text: injected.Texts[0]})
	fmt.Println(bytes.Equal(removed.Texts[0], text))
	// Output: true
}

// A transformer of another program: every pod that gets a sidecar tells which team pays for it, and the sidecar logs
// as much as the app does.
func ExampleSidecars_After() {
	level := func(pod *transformers.Pod) []finding.Finding {
		findings := pod.Set("payments", "metadata", "labels", "team")
		if app := pod.Get("spec", "containers", "web", "env", "LEVEL", "value"); app != nil {
			level := map[string]any{"name": "LEVEL", "value": app}
			findings = append(findings, pod.Append(level, "spec", "initContainers", "logs", "env")...)
		}
		return findings
	}

	sidecars, _ := transformers.Read(transformers.Source{Text: []byte(`
apiVersion: pillion.dev/v1alpha1
kind: SidecarInjector
metadata: {name: logs}
spec:
  containers:
  - name: logs
    image: fluent-bit:3.2
`)})
	result, _ := sidecars.After(transformers.Func(level)).Apply(context.Background(), transformers.Source{Text: []byte(`apiVersion: v1
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
	//   annotations:
	//     pillion.dev/injected-logs: 1 i(logs:t4sHxY) metadata/labels(team:8N6Azf) g8C2_0
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

// A transformer is tested with a pod template, without a run.
func ExampleNewPod() {
	team := func(pod *transformers.Pod) []finding.Finding {
		if pod.Finishes {
			return nil
		}
		return pod.Set("payments", "metadata", "labels", "team")
	}

	pod, err := transformers.NewPod([]byte(`
spec:
  containers:
  - name: web
    image: nginx:1.27
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(team(pod), pod.Get("metadata", "labels"))
	// Output: [] map[team:payments]
}
