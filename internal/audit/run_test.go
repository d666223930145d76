package audit_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/audit"
	"pillion.dev/pillion/internal/pods/live"
	"pillion.dev/pillion/internal/text/manifest"
	"pillion.dev/pillion/internal/text/yaml/node"
	yamlread "pillion.dev/pillion/internal/text/yaml/read"
)

// TestUnreadableItems audits the other pods if an item cannot be read.
func TestUnreadableItems(t *testing.T) {
	bomb := "{apiVersion: v1, kind: Pod, metadata: {name: bomb}, a: &a [x, x, x, x, x, x, x, x, x, x], b: &b [" + strings.Repeat("*a, ", 999) +
		"], spec: {containers: [" + strings.Repeat("*b, ", 999) + "]}}"
	for name, c := range map[string]struct{ text, want string }{
		"repeated key": {"{apiVersion: v1, kind: Pod, metadata: {name: twice}, spec: {}, spec: {}}", "twice"},
		"aliases":      {bomb, "bomb"},
	} {
		t.Run(name, func(t *testing.T) {
			all := items(t, pod(), c.text, pod("web-7d4b9c-x2x", "second"))
			for i := range all {
				all[i].File = "pods.yaml"
			}
			found := runOn(t, config, all)
			if len(found.Rows) != 2 || found.Rows[1].Pod != "second" {
				t.Errorf("got %+v", found.Rows)
			}
			if len(found.Findings) != 1 {
				t.Fatalf("got %v", found.Findings)
			}
			f := found.Findings[0]
			if f.Severity != finding.Warning || f.Object == nil || f.Object.Name != c.want || f.File == nil || f.File.Line < 17 {
				t.Errorf("got %+v in %+v", f, f.File)
			}
		})
	}
}

// TestObjectsWithoutKind reports objects that may be pods.
func TestObjectsWithoutKind(t *testing.T) {
	for _, text := range []string{pod("apiVersion: v1\n", ""), pod("kind: Pod\n", ""), "{metadata: {name: web-7d4b9c-x2x}}"} {
		found := runOn(t, config, items(t, pod(), text))
		if len(found.Rows) != 1 || len(found.Findings) != 1 || found.Findings[0].Code != finding.InvalidItem {
			t.Errorf("got %+v %v", found.Rows, found.Findings)
		}
	}
}

// TestOversizedPod has one pod that is too large among others in one chunk.
func TestOversizedPod(t *testing.T) {
	var pods []live.Object
	for i := range 3 {
		large := ""
		if i == 1 {
			large = strings.Repeat("x", manifest.MaxItemBytes)
		}
		var document node.Node
		if err := yamlread.Into([]byte(pod("annotations: {}", "annotations: {large: \""+large+"\"}")), &document); err != nil {
			t.Fatal(err)
		}
		pods = append(pods, live.NewObject(document.Content[0]))
	}
	auditor, err := audit.New(read(t, config), nil)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := auditor.Pods(t.Context(), pods)
	if err != nil || len(rows) != 3 {
		t.Fatal(err, rows)
	}
	if want := "the pod cannot be read: it is larger than 4 MB, which no cluster stores"; rows[1].Message != want {
		t.Errorf("got %q, want %q", rows[1].Message, want)
	}
	for i, want := range []audit.State{audit.Current, audit.Refused, audit.Current} {
		if rows[i].State != want {
			t.Errorf("pod %d is %s %s, want %s", i, rows[i].State, rows[i].Message, want)
		}
	}
}

// TestOrder audits more pods than are in memory at a time.
func TestOrder(t *testing.T) {
	var texts []string
	for i := range 1203 {
		image := "proxy:2.1"
		if i%7 == 0 {
			image = "proxy:2.0"
		}
		texts = append(texts, pod("web-7d4b9c-x2x", fmt.Sprintf("pod-%d", i), "proxy:2.1", image))
	}
	rows := run(t, config, texts...)
	if len(rows) != len(texts) {
		t.Fatalf("%d rows of %d pods", len(rows), len(texts))
	}
	for i, row := range rows {
		want := audit.Current
		if i%7 == 0 {
			want = audit.Stale
		}
		if row.Pod != fmt.Sprintf("pod-%d", i) || row.State != want {
			t.Fatalf("row %d is %s %s, want %s", i, row.Pod, row.State, want)
		}
	}
}

// TestManyObjects audits more pods at once than the engine gets at a time.
func TestManyObjects(t *testing.T) {
	var document node.Node
	if err := yamlread.Into([]byte(pod()), &document); err != nil {
		t.Fatal(err)
	}
	auditor, err := audit.New(read(t, config), nil)
	if err != nil {
		t.Fatal(err)
	}
	pods := slices.Repeat([]live.Object{live.NewObject(document.Content[0])}, 501)
	if rows, err := auditor.Pods(t.Context(), pods); err != nil || len(rows) != len(pods) {
		t.Errorf("%d rows, %v", len(rows), err)
	}
}

// TestCancelled ends the audit with its context.
func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := audit.Run(ctx, read(t, config), items(t, pod())); err == nil {
		t.Error("the audit goes on")
	}
}

// TestNamespaces selects by the labels of namespaces, which may stand behind their pods.
func TestNamespaces(t *testing.T) {
	selecting := config + "  namespaceSelector: {matchLabels: {team: a}}\n"
	const a, b = "{apiVersion: v1, kind: Namespace, metadata: {name: shop, labels: {team: a}}}",
		"{apiVersion: v1, kind: Namespace, metadata: {name: other, labels: {team: b}}}"
	found := runOn(t, selecting, items(t, pod(), pod("namespace: shop", "namespace: other"), pod("namespace: shop", "namespace: third"), b, a))
	rows := found.Rows
	if len(found.Findings) != 1 || !strings.HasPrefix(found.Findings[0].Message, "1 pod is skipped") {
		t.Errorf("got %v", found.Findings)
	}
	want := []string{"current", "skipped NamespaceExcluded", "skipped NamespaceLabelsUnknown"}
	for i, row := range rows {
		if got := describe(row); i >= len(want) || got != want[i] {
			t.Errorf("row %d: %s", i, got)
		}
	}
}

// TestASecondNamespaceDecidesNothing reports a Namespace with other labels, wherever it stands, and accepts one that is
// the same.
func TestASecondNamespaceDecidesNothing(t *testing.T) {
	selecting := config + "  namespaceSelector: {matchLabels: {team: a}}\n"
	const first, other = "{apiVersion: v1, kind: Namespace, metadata: {name: shop, labels: {team: a}}}",
		"{apiVersion: v1, kind: Namespace, metadata: {name: shop, labels: {team: b}}}"
	found := runOn(t, selecting, items(t, first, pod(), first, other))
	if len(found.Findings) != 1 || !strings.HasPrefix(found.Findings[0].Message, "the input has another Namespace of this name") {
		t.Errorf("got %v", found.Findings)
	}
	if got := describe(found.Rows[0]); got != "current" {
		t.Errorf("the pod is %s", got)
	}
}

func TestRevisions(t *testing.T) {
	of := func(kind, name string) string {
		return pod("kind: ReplicaSet, name: web-7d4b9c", "kind: "+kind+", name: "+name)
	}
	rows := run(t, config, pod(), strings.Replace(of("StatefulSet", "web"), "pod-template-hash", "controller-revision-hash", 1),
		strings.Replace(of("Job", "nightly"), "apps/v1", "batch/v1", 1), of("Machine", "m"))
	for i, want := range []string{"web-7d4b9c", "7d4b9c", "nightly", ""} {
		if rows[i].Revision != want {
			t.Errorf("row %d is of %q, want %q", i, rows[i].Revision, want)
		}
	}
}

// TestPodsOfOneTemplate audits pods that come from one manifest, and differ.
func TestPodsOfOneTemplate(t *testing.T) {
	rows := run(t, config, pod(), pod("proxy:2.1", "proxy:2.0"), pod("- {name: proxy", "- {name: other"), pod("app: web", "app: db"), pod())
	want := []audit.State{audit.Current, audit.Stale, audit.Missing, audit.Skipped, audit.Current}
	for i, row := range rows {
		if row.State != want[i] {
			t.Errorf("row %d is %s, want %s", i, row.State, want[i])
		}
	}
}
