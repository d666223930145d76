package engine_test

import (
	"fmt"
	"strings"
	"testing"

	"pillion.dev/pillion/decision"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/engine"
)

const logsConfig = `apiVersion: pillion.dev/v1alpha1
kind: SidecarInjector
metadata:
  name: logs
spec:
  namespaceSelector: {matchLabels: {logs: "on"}}
  containers:
  - name: logs
    image: logs
`

func podIn(namespace, name string) string {
	return fmt.Sprintf("apiVersion: v1\nkind: Pod\nmetadata:\n  name: %s\n  namespace: %s\nspec:\n  containers:\n  - name: app\n    "+
		"image: app\n", name, namespace)
}

func readConfig(t *testing.T, texts ...string) engine.Config {
	t.Helper()
	var sources []finding.Source
	for i, text := range texts {
		sources = append(sources, finding.Source{File: fmt.Sprintf("config%d.yaml", i), Text: []byte(text)})
	}
	config, said := engine.ReadConfig(sources...)
	for _, f := range said {
		t.Errorf("the config: %s", f.String())
	}
	return config
}

func TestSourcesAreOneStreamAndKeepTheirTexts(t *testing.T) {
	result := apply(
		readConfig(t, logsConfig),
		finding.Source{File: "pods.yaml", Text: []byte(podIn("shop", "web") + "---\n" + podIn("other", "web"))},
		finding.Source{File: "namespaces.yaml", Text: []byte("{apiVersion: v1, kind: Namespace, metadata: {name: shop, labels: {logs: " +
			"\"on\"}}}\n---\n" +
			"{apiVersion: v1, kind: Namespace, metadata: {name: other}}\n")},
	)
	if result.Run.Failed() || result.Run.Counts()[decision.Injected] != 1 || result.Run.Counts()[decision.Skipped] != 1 {
		t.Fatalf("%v %v", result.Run.Counts(), result.Run.Findings())
	}
	if result.Texts[1] != nil {
		t.Errorf("the namespaces changed: %s", result.Texts[1])
	}
	if text := string(result.Texts[0]); !strings.HasSuffix(text, "---\n"+podIn("other", "web")) || strings.Count(text, "image: logs") != 1 {
		t.Errorf("got:\n%s", text)
	}
	if len(result.Run.Workloads) != 2 || result.Run.Workloads[0].Decision() != decision.Injected ||
		result.Run.Workloads[1].Decision() != decision.Skipped {
		t.Errorf("got %+v", result.Run.Workloads)
	}
	if at := result.Run.Workloads[1].File.String(); at != "pods.yaml:11" {
		t.Errorf("the second pod is at %s", at)
	}
}

func TestWhatIsRefusedKeepsEveryTextAndPointsAtItsField(t *testing.T) {
	config := readConfig(t, strings.Replace(logsConfig, "  namespaceSelector: {matchLabels: {logs: \"on\"}}\n", "", 1)+"    mode: Container\n")
	taken := "# a comment\n\n" + strings.Replace(podIn("shop", "taken"), "name: app", "name: logs", 1)
	result := apply(config, finding.Source{File: "a.yaml", Text: []byte(podIn("shop", "web"))}, finding.Source{
		File: "b.yaml",
		Text: []byte(taken),
	})
	if !result.Run.Failed() || result.Texts[0] != nil || result.Texts[1] != nil || result.Run.Counts()[decision.HeldBack] != 1 {
		t.Fatalf("%+v", result)
	}
	var places []string
	for _, f := range result.Run.Findings() {
		if f.Severity == finding.Error {
			places = append(places, f.File.String())
		}
	}
	if got := strings.Join(places, " "); got != "b.yaml:11:5" {
		t.Errorf("the errors are at %s", got)
	}
	if result.Run.Workloads[0].Decision() != decision.HeldBack || result.Run.Workloads[1].Decision() != decision.Refused ||
		result.Run.Workloads[1].File.Line != 3 {
		t.Errorf("got %+v", result.Run.Workloads)
	}
}

func TestABadSourceIsAFindingOfItsOwn(t *testing.T) {
	config := readConfig(t, logsConfig)
	tests := map[string]struct{ text, line string }{
		"empty":    {"", "x.yaml: error: InvalidItem: the input is empty: it holds no Kubernetes object"},
		"not YAML": {"apiVersion: v1\nkind: Pod\na: [\n", "x.yaml:3:4: error: InvalidItem: this is not YAML: the bracket ["},
		"a ResourceList": {
			"apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems: []\n",
			"x.yaml: error: InvalidItem: this is a ResourceList",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			result := apply(config, finding.Source{File: "x.yaml", Text: []byte(test.text)})
			if !result.Run.Failed() || !strings.HasPrefix(result.Run.Findings()[0].String(), test.line) {
				t.Errorf("got %v, want %q", result.Run.Findings(), test.line)
			}
		})
	}
	if result := apply(engine.Config{}, finding.Source{Text: []byte(podIn("shop", "web"))}); !result.Run.Failed() {
		t.Error("no injector is no error")
	}
}

func ExampleApply() {
	config, said := engine.ReadConfig(finding.Source{File: "injector.yaml", Text: []byte(`
apiVersion: pillion.dev/v1alpha1
kind: SidecarInjector
metadata:
  name: logs
spec:
  containers:
  - name: logs
    image: fluent-bit:3.2
`)})
	fmt.Println(len(said), config.Names())
	result := apply(config, finding.Source{File: "web.yaml", Text: []byte(`
apiVersion: v1
kind: Pod
metadata:
  name: web
spec:
  containers:
  - name: web # the app
    image: nginx:1.27
`)})
	fmt.Println(result.Run.Counts())
	fmt.Println(string(result.Texts[0]))
	// Output:
	// 0 [logs]
	// 1 workload: 1 injected
	//
	// apiVersion: v1
	// kind: Pod
	// metadata:
	//   name: web
	//   annotations:
	//     pillion.dev/injected-logs: 1 i(logs:HLa7qc) K4QFzv
	// spec:
	//   containers:
	//   - name: web # the app
	//     image: nginx:1.27
	//   initContainers:
	//   - name: logs
	//     image: fluent-bit:3.2
	//     restartPolicy: Always
}
