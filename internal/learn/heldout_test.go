package learn_test

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/engine"
)

// workload is what differs between the workloads of a fleet.
type workload struct {
	kind, name, namespace string // a Deployment if the kind is empty
	labels, annotations   map[string]string
	port                  int
}

func (w workload) manifest() string {
	type object = map[string]any
	labels := map[string]string{"app": w.name}
	maps.Copy(labels, w.labels)
	container := object{"name": "app", "image": "registry.example.com/" + w.name + ":1.2.3"}
	if w.port != 0 {
		container["ports"] = []any{object{"containerPort": w.port}}
	}
	metadata := object{"name": w.name}
	if w.namespace != "" {
		metadata["namespace"] = w.namespace
	}
	spec := object{"containers": []any{container}}
	template := object{"metadata": object{"labels": labels, "annotations": w.annotations}, "spec": spec}
	whole := object{"apiVersion": "apps/v1", "kind": w.kind, "metadata": metadata}
	switch w.kind {
	case "Pod":
		whole["apiVersion"], whole["spec"] = "v1", spec
		metadata["labels"], metadata["annotations"] = labels, w.annotations
	case "CronJob":
		spec["restartPolicy"] = "Never"
		whole["apiVersion"] = "batch/v1"
		whole["spec"] = object{"schedule": "1 * * * *", "jobTemplate": object{"spec": object{"template": template}}}
	default:
		if w.kind == "" {
			whole["kind"] = "Deployment"
		}
		whole["spec"] = object{"selector": object{"matchLabels": object{"app": w.name}}, "template": template}
	}
	text, err := json.Marshal(whole)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// manifests returns the manifests of workloads, with more beside them.
func manifests(fleet []workload, more ...string) (all []string) {
	for _, w := range fleet {
		all = append(all, w.manifest())
	}
	return append(all, more...)
}

// The names and namespaces of the workloads to learn from, and of others.
var (
	known  = []string{"shop", "cart", "search", "mail", "users", "billing", "stock", "tax-api"}
	others = []string{"orders", "prices", "log-in", "ads"}
)

// fleet returns workloads that differ in what a function sets, by their index.
func fleet(names []string, set func(i int, w *workload)) (all []workload) {
	for i, name := range names {
		w := workload{name: name, labels: map[string]string{}, annotations: map[string]string{}}
		set(i, &w)
		all = append(all, w)
	}
	return all
}

func namespaced(i int, w *workload) { w.namespace = []string{"team-a", "team-b", "default"}[i%3] }

const proxy = `
  containers:
  - name: proxy
    image: proxy:1
`

// TestOtherWorkloadsComeOutEqual learns from some workloads, and injects what was learned into others that were not
// among them. The result is that of the original config.
func TestOtherWorkloadsComeOutEqual(t *testing.T) {
	namespaces := []string{
		`{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "team-a", "labels": {"mesh": "on", "stage": "test"}}}`,
		`{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "team-b", "labels": {"mesh": "off"}}}`,
		`{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "default"}}`,
		`{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "team-c", "labels": {"mesh": "on"}}}`,
	}
	for _, test := range []struct {
		name, spec string
		set        func(i int, w *workload)
		more       []string
	}{
		{name: "the name of the workload", spec: proxy + `    args: ["--service", "${workload.name}"]`, set: namespaced},
		{name: "the namespace", spec: proxy + `    env: [{name: NAMESPACE, value: "${workload.namespace}"}]`, set: namespaced},
		{
			name: "parts between separators", spec: proxy + `    args: ["--url=http://${workload.name}.${workload.namespace}.svc:80/"]`,
			set: namespaced,
		},
		{name: "a label", spec: proxy + `    env: [{name: TEAM, value: "team/${pod.labels['team']}"}]`, set: func(i int, w *workload) {
			w.labels["team"] = []string{"red", "green", "blue"}[i%3]
		}},
		{
			name: "a label with a default", spec: proxy + `    env: [{name: TEAM, value: "${pod.labels['team']:-none}"}]`,
			set: func(i int, w *workload) {
				if i%2 == 0 {
					w.labels["team"] = []string{"red", "green", "blue"}[i%3]
				}
			},
		},
		{name: "an annotation", spec: proxy + `    args: ["--level=${pod.annotations['example.com/level']}"]`, set: func(i int, w *workload) {
			w.annotations["example.com/level"] = []string{"debug", "info", "error"}[i%3]
		}},
		{
			name: "an annotation with a default", spec: proxy + `    env: [{name: LEVEL, value: "${pod.annotations['example.com/level']:-info}"}]`,
			set: func(i int, w *workload) {
				if i%2 == 0 {
					w.annotations["example.com/level"] = []string{"debug", "trace", "error"}[i%3]
				}
			},
		},
		{name: "the port of the container", spec: proxy + `    args: ["--upstream=127.0.0.1:${container.port}"]`, set: func(i int, w *workload) {
			w.port = 8000 + 10*i
		}},
		{name: "the image of the container", spec: proxy + `    env: [{name: FROM, value: "${container.image}"}]`, set: namespaced},
		{name: "the kind", spec: proxy + `    env: [{name: KIND, value: "${workload.kind}"}]`, set: func(i int, w *workload) {
			w.kind = []string{"Deployment", "StatefulSet", "CronJob", "Pod"}[i%4]
		}},
		{name: "variables of the app's containers", spec: `
  appContainers:
  - env: [{name: SERVICE, value: "${workload.name}-${workload.namespace}"}]`, set: namespaced},
		{name: "variables in a volume", spec: proxy + `    volumeMounts: [{name: conf, mountPath: /conf}]
  volumes: [{name: conf, configMap: {name: "${workload.name}-conf"}}]`, set: namespaced},
		{name: "variables in labels and annotations", spec: `
  patchPodMetadata:
  - labels: {service: "${workload.name}"}
    annotations: {where: "${workload.namespace}/${workload.name}"}`, set: namespaced},
		{name: "an image that annotations set", spec: proxy + `    allowOverride: [image]`, set: func(i int, w *workload) {
			if i%2 == 0 {
				w.annotations["pillion.dev/override.proxy.image"] = "proxy:" + w.name
			}
		}},
		{name: "resources that annotations set", spec: proxy + `    resources: {limits: {memory: 64Mi}}
    allowOverride: [resources.limits.memory]`, set: func(i int, w *workload) {
			if i%2 == 1 {
				w.annotations["pillion.dev/override.proxy.resources.limits.memory"] = []string{"128Mi", "1Gi", "96Mi", "256Mi"}[i%4]
			}
		}},
		{name: "a selector", spec: `
  selector: {matchLabels: {mesh: "on"}}` + proxy, set: func(i int, w *workload) { w.labels["mesh"] = []string{"on", "off"}[i%2] }},
		{name: "opting in", spec: `
  policy: Disabled` + proxy, set: func(i int, w *workload) {
			if i%2 == 0 {
				w.annotations[v1alpha1.DefaultMarker] = "true"
			}
		}},
		{name: "opting in by another marker", spec: `
  policy: Disabled
  marker: example.com/inject` + proxy, set: func(i int, w *workload) {
			if i%2 == 0 {
				w.annotations["example.com/inject"] = "true"
			}
		}},
		{name: "opting in by a label", spec: `
  policy: Disabled
  marker: example.com/inject` + proxy, set: func(i int, w *workload) {
			if i%2 == 0 {
				w.labels["example.com/inject"] = "true"
			}
		}},
		{name: "opting out", spec: proxy, set: func(i int, w *workload) {
			if i%3 == 0 {
				w.annotations[v1alpha1.DefaultMarker] = "false"
			}
		}},
		{name: "opting out by another marker", spec: `
  marker: example.com/inject` + proxy, set: func(i int, w *workload) {
			if i%3 == 0 {
				w.annotations["example.com/inject"] = "false"
			}
		}},
		{name: "namespaces", spec: `
  namespaces: {include: [team-a, default]}` + proxy, set: namespaced},
		// It is learned as names of namespaces, so the other workloads are in the same ones; those in another would not
		// come out equal.
		{name: "a namespaceSelector, in the same namespaces", spec: `
  namespaceSelector: {matchLabels: {mesh: "on"}}` + proxy, more: namespaces, set: func(i int, w *workload) {
			w.namespace = []string{"team-a", "team-b", "default", "team-c"}[i%4]
		}},
		{name: "kinds", spec: `
  rules: [{apiGroups: [apps], apiVersions: [v1], resources: [deployments, statefulsets]}]` + proxy, set: func(i int, w *workload) {
			w.kind = []string{"Deployment", "StatefulSet", "DaemonSet", "CronJob"}[i%4]
		}},
		{name: "a selector, a variable and an override", spec: `
  selector: {matchLabels: {mesh: "on"}}` + proxy + `    args: ["--name=${workload.name}"]
    allowOverride: [image]`, set: func(i int, w *workload) {
			w.labels["mesh"] = []string{"on", "off", "on"}[i%3]
			if i%2 == 0 {
				w.annotations["pillion.dev/override.proxy.image"] = "proxy:" + w.name
			}
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			checkOthers(t, test.spec, manifests(fleet(known, test.set), test.more...), manifests(fleet(others, test.set), test.more...))
		})
	}
	t.Run("names", func(t *testing.T) { // which say nothing about other workloads, and are right about the same ones in another version
		spec := `
  names: [shop, mail, users]` + proxy
		renewed := func(_ int, w *workload) { w.port = 8080 }
		checkOthers(t, spec, manifests(fleet(known, namespaced)), manifests(fleet(append(known, others...), renewed)))
	})
}

// checkOthers learns from some workloads that a config was injected into, and compares what becomes of others.
func checkOthers(t *testing.T, spec string, some, others []string) {
	t.Helper()
	original := mustConfig(t, "apiVersion: pillion.dev/v1alpha1\nkind: SidecarInjector\nmetadata: {name: original}\nspec:"+spec)
	before, after, _ := injected(t, original, some...)
	learned, err := learnFrom(before, after)
	if differences := differing(learned, err); differences != "" {
		t.Errorf("the workloads to learn from: %s\n%s", differences, learned.Text)
		return
	}
	_, want, result := injected(t, original, others...)
	changed := 0
	for _, text := range result.Texts {
		if text != nil {
			changed++
		}
	}
	if changed == 0 {
		t.Error("the original config changes none of the other workloads, which proves nothing")
	}
	_, got, _ := injected(t, mustConfig(t, string(learned.Text)), others...)
	if diff := cmp.Diff(withoutStamps(t, want), withoutStamps(t, got)); diff != "" {
		t.Errorf("other workloads (-original +learned):\n%s\nlearned:\n%s", diff, learned.Text)
	}
}

func mustConfig(t *testing.T, text string) engine.Config {
	t.Helper()
	config, findings := engine.ReadConfig(finding.Source{Text: []byte(text)})
	if finding.HasError(findings) {
		t.Fatalf("%v\n%s", findings, text)
	}
	return config
}

// withoutStamps returns the objects of a stream without stamps.
func withoutStamps(t *testing.T, stream []byte) (all []any) {
	t.Helper()
	for document := range strings.SplitSeq(string(stream), "\n---\n") {
		var object any
		if err := yaml.Unmarshal([]byte(document), &object); err != nil {
			t.Fatal(err)
		}
		removeStamps(object)
		all = append(all, object)
	}
	return all
}

func removeStamps(value any) {
	switch value := value.(type) {
	case []any:
		for _, entry := range value {
			removeStamps(entry)
		}
	case map[string]any:
		maps.DeleteFunc(value, func(key string, _ any) bool { return strings.HasPrefix(key, v1alpha1.StampPrefix) })
		for _, entry := range value {
			removeStamps(entry)
		}
	}
}
