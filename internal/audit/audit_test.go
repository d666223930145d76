package audit_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/audit"
	"pillion.dev/pillion/internal/core/engine"
	"pillion.dev/pillion/internal/text/manifest"
)

const config = `
apiVersion: pillion.dev/v1alpha1
kind: SidecarInjector
metadata: {name: proxy}
spec:
  selector: {matchLabels: {app: web}}
  rules: [{apiGroups: [apps], apiVersions: [v1], resources: [deployments]}]
  containers:
  - name: proxy
    image: proxy:2.1
    mode: Container
    args: ["--name=${workload.name}"]
    resources: {limits: {cpu: 0.1}}
`

// pod returns a live pod of a Deployment, with changes of its text.
func pod(changes ...string) string {
	text := `
apiVersion: v1
kind: Pod
metadata:
  name: web-7d4b9c-x2x
  namespace: shop
  uid: "1"
  labels: {app: web, pod-template-hash: 7d4b9c}
  annotations: {}
  ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: web-7d4b9c, controller: true}]
spec:
  containers:
  - {name: web, image: "web:1", imagePullPolicy: IfNotPresent}
  - {name: proxy, image: "proxy:2.1", args: [--name=web], resources: {limits: {cpu: 100m}, requests: {cpu: 100m}}}
status: {phase: Running}
`
	return strings.NewReplacer(changes...).Replace(text)
}

// items returns the items of a stream of documents.
func items(t *testing.T, texts ...string) []*manifest.Item {
	t.Helper()
	stream, err := manifest.Read([]byte(strings.Join(texts, "\n---\n")))
	if err != nil {
		t.Fatal(err)
	}
	return stream.Items
}

func run(t *testing.T, config string, texts ...string) []audit.Row {
	t.Helper()
	return runOn(t, config, items(t, texts...)).Rows
}

func runOn(t *testing.T, config string, items []*manifest.Item) audit.Audit {
	t.Helper()
	found, err := audit.Run(t.Context(), read(t, config), items)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func read(t testing.TB, config string) engine.Config {
	t.Helper()
	read, findings := engine.ReadConfig(finding.Source{Text: []byte(config)})
	if finding.HasError(findings) {
		t.Fatal(findings)
	}
	return read
}

// TestStaticPods audits the mirror of a pod that the kubelet runs from a file, as the kubelet creates it.
func TestStaticPods(t *testing.T) {
	rows := run(t, config, pod("annotations: {}", "annotations: {kubernetes.io/config.mirror: a, kubernetes.io/config.source: file}",
		"{apiVersion: apps/v1, kind: ReplicaSet, name: web-7d4b9c", "{apiVersion: v1, kind: Node, name: n"))
	if len(rows) != 1 || describe(rows[0]) != "skipped MirrorPod" {
		t.Errorf("got %+v", rows)
	}
}

func TestStates(t *testing.T) {
	const proxy = `  - {name: proxy, image: "proxy:2.1", args: [--name=web], resources: {limits: {cpu: 100m}, requests: {cpu: 100m}}}` + "\n"
	for name, c := range map[string]struct{ pod, want string }{
		"as declared":         {pod(), "current"},
		"another image":       {pod("proxy:2.1", "proxy:2.0"), "stale spec.containers[1].image proxy:2.0 proxy:2.1"},
		"other resources":     {pod("limits: {cpu: 100m}", "limits: {cpu: 200m}"), "stale spec.containers[1].resources.limits.cpu 200m 0.1"},
		"without the sidecar": {pod(proxy, ""), "missing spec.containers[1]"},
		"another argument":    {pod("--name=web", "--name=web, -v"), "stale spec.containers[1].args[1] -v nothing"},
		"not selected":        {pod("app: web", "app: db"), "skipped SelectorMismatch"},
		"of another kind":     {pod("kind: ReplicaSet, name: web-7d4b9c", "kind: StatefulSet, name: web"), "skipped RuleMismatch"},
		"opted out":           {pod("annotations: {}", `annotations: {pillion.dev/inject: "false"}`), "skipped OptedOut"},
		"with a broken stamp": {pod("annotations: {}", `annotations: {pillion.dev/injected-proxy: 1 c/proxy:1_raI1 dxcpYP}`), "current"},
		"finished":            {pod("Running", "Succeeded"), "skipped Finished"},
		"terminating":         {pod(`uid: "1"`, `deletionTimestamp: "2026-11-16T04:00:00Z"`), "skipped Terminating"},
		"static":              {pod("annotations: {}", "annotations: {kubernetes.io/config.mirror: a}"), "skipped MirrorPod"},
		"with more":           {pod(proxy, proxy+"  - {name: mesh, image: m}\n"), "current"},
	} {
		t.Run(name, func(t *testing.T) {
			rows := run(t, config, c.pod)
			if len(rows) != 1 || rows[0].Creator.Name != "web" {
				t.Fatalf("got %+v", rows)
			}
			if got := describe(rows[0]); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

// TestMirrorPods audits pods as the kubelet creates them, which belong to their node or to nothing. Pillion refuses
// them in manifests.
func TestMirrorPods(t *testing.T) {
	const owner = `ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: web-7d4b9c, controller: true}]`
	for _, node := range []string{"", "ownerReferences: [{apiVersion: v1, kind: Node, name: a, controller: true}]"} {
		mirror := pod(owner, node, "annotations: {}", "annotations: {kubernetes.io/config.mirror: a, kubernetes.io/config.source: file}")
		if got := describe(run(t, config, mirror)[0]); got != "skipped MirrorPod" {
			t.Errorf("got %s", got)
		}
	}
}

// TestMalformedPods audits pods with a text or a list in the place of a mapping. They must not look like pods that are
// not selected.
func TestMalformedPods(t *testing.T) {
	for _, text := range []string{
		"{apiVersion: v1, kind: Pod, metadata: a, spec: {containers: [{name: web}]}}",
		"{apiVersion: v1, kind: Pod, metadata: {name: a, labels: [a]}, spec: {containers: [{name: web}]}}",
		"{apiVersion: v1, kind: Pod, metadata: {name: a, annotations: a}, spec: {containers: [{name: web}]}}",
		"{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: [a]}",
	} {
		if got := describe(run(t, config, text)[0]); got != "refused InvalidItem" {
			t.Errorf("got %s for %s", got, text)
		}
	}
}

func TestUnexpected(t *testing.T) {
	for name, stamp := range map[string]string{"valid": "1 c/fluent-bit:IVZwWq v/buffer:TfoBBg x0I3T_", "broken": "1 c/proxy"} {
		stamped := pod("annotations: {}", `annotations: {pillion.dev/inject: "false", pillion.dev/injected-proxy: "`+stamp+`"}`)
		if got := describe(run(t, config, stamped)[0]); got != "unexpected OptedOut" {
			t.Errorf("a pod with a stamp that is %s, and opts out, is %s", name, got)
		}
	}
}

// TestStampedAndLeft audits a stamped pod that an injection would leave as it is.
func TestStampedAndLeft(t *testing.T) {
	const stamp = `pillion.dev/injected-proxy: "1 c(fluent-bit:IVZwWq) v(buffer:TfoBBg) cQ5luD"`
	stamped := pod("annotations: {}", "annotations: {"+stamp+"}")
	for want, c := range map[string]struct{ config, pod string }{
		"skipped Paused":                 {config + "  paused: true\n", stamped},
		"skipped NamespaceLabelsUnknown": {config + "  namespaceSelector: {matchLabels: {mesh: on}}\n", stamped},
		"skipped MarkerUnclear":          {config, strings.Replace(stamped, "annotations: {", "annotations: {pillion.dev/inject: 'yes', ", 1)},
	} {
		if got := describe(run(t, c.config, c.pod)[0]); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// describe returns a row as a line of text.
func describe(row audit.Row) string {
	text := string(row.State)
	if row.Reason != "" {
		text += " " + string(row.Reason)
	}
	for _, f := range row.Fields {
		text += " " + f.Path
		if !f.IsMissing {
			text += fmt.Sprintf(" %s %s", f.Live, f.Declared)
		}
	}
	return text
}

// TestHostilePods audits pods that no API server returns.
func TestHostilePods(t *testing.T) {
	const webPod = "{apiVersion: v1, kind: Pod, metadata: {name: a, labels: {app: web}"
	for name, text := range map[string]string{
		"nothing":               "{apiVersion: v1, kind: Pod}",
		"no spec":               "{apiVersion: v1, kind: Pod, metadata: {name: a}}",
		"spec is a list":        "{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: [a]}",
		"metadata is a text":    "{apiVersion: v1, kind: Pod, metadata: a, spec: {containers: [{name: web}]}}",
		"annotations is a list": webPod + ", annotations: [a]}, spec: {containers: [{name: a}]}}",
		"containers of texts":   webPod + "}, spec: {containers: [a, null, [b]], volumes: a}}",
		"no containers left":    webPod + "}, spec: {containers: [{name: proxy}]}}",
		"odd references":        webPod + ", ownerReferences: [a, {controller: true}]}, spec: {containers: [{name: a}]}}",
		"forged stamp":          pod("annotations: {}", `annotations: {pillion.dev/injected-proxy: "1 c/web:AAAAAA v/x:AAAAAA zzzzzz"}`),
		"same name twice":       pod("name: web, image", "name: proxy, image"),
	} {
		t.Run(name, func(t *testing.T) {
			all := strings.Replace(config, "rules:", "rules: [{apiGroups: ['*'], apiVersions: ['*'], resources: ['*']}] #", 1)
			rows := run(t, all, text)
			if len(rows) != 1 || !slices.Contains(audit.States, rows[0].State) {
				t.Errorf("got %+v", rows)
			}
		})
	}
}

// TestKindsOfTheConfig audits with a config that takes other kinds for workloads.
func TestKindsOfTheConfig(t *testing.T) {
	all := config + "  workloads: [{group: '', kind: Namespace, podTemplates: [spec.template]}]\n"
	space := "{apiVersion: v1, kind: Namespace, metadata: {name: shop}, " +
		"spec: {template: {metadata: {labels: {app: web}}, spec: {containers: [{name: a, image: a}]}}}}"
	if rows := run(t, all, pod(), space); len(rows) != 1 || rows[0].State != audit.Current {
		t.Errorf("got %+v", rows)
	}
	all = strings.Replace(config, "rules: [{apiGroups: [apps], apiVersions: [v1], resources: [deployments]}]",
		"rules: [{apiGroups: [example.com], apiVersions: [v1], resources: [machines]}]", 1) +
		"  workloads: [{group: example.com, kind: Machine, podTemplates: [spec.template]}]\n"
	machine := pod("apiVersion: apps/v1, kind: ReplicaSet, name: web-7d4b9c", "apiVersion: example.com/v1, kind: Machine, name: web")
	if rows := run(t, all, machine); len(rows) != 1 || rows[0].State != audit.Current {
		t.Errorf("got %+v", rows)
	}
}
