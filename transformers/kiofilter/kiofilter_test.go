package kiofilter_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/kio"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/transformers"
	"pillion.dev/pillion/transformers/kiofilter"
)

const injector = `apiVersion: pillion.dev/v1alpha1
kind: SidecarInjector
metadata:
  name: logs
spec:
  namespaceSelector:
    matchLabels: {logs: "yes"}
  containers:
  - name: logs
    image: fluent-bit:3.2 # pinned
    podInjectPolicy: BeforeAppContainer
    env:
    - {name: LEVEL, value: "on"}
  volumes:
  - name: buffer
    emptyDir: {}
`

// files are a package with what kyaml readers find hard: comments everywhere, flow style, several documents, CRDs.
var files = map[string]string{
	"namespaces.yaml": `# who is in
apiVersion: v1
kind: Namespace
metadata:
  name: shop
  labels: {logs: "yes"}
---
apiVersion: v1
kind: Namespace
metadata:
  name: bank
`,
	"web.yaml": `# Copyright of the shop.

# The shop's front.
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  namespace: shop # the namespace
spec:
  replicas: 3
  template:
    metadata:
      labels: {app: web}
    spec:
      # the app comes first
      containers:
      - name: web # the app
        image: "nginx:1.27" # {"$kpt-set": "image"}
        command: ['sh', '-c', 'echo "hi"']
      # after the containers
---
apiVersion: v1
kind: Pod
metadata:
  name: lone
  namespace: shop
spec:
  containers:
  - name: app
    image: app
`,
	"sub/bank.yaml": `apiVersion: apps/v1
kind: Deployment
metadata:
  name: bank
  namespace: bank
spec:
  template:
    spec:
      containers:
      - name: bank
        image: bank
`,
	"sub/config.yaml": `apiVersion: v1
kind: ConfigMap
metadata: {name: config, namespace: shop}
data:
  a: |
    text
`,
}

func writeFiles(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func readFiles(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for name := range files {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		all[name] = string(text)
	}
	return all
}

func execute(t *testing.T, files map[string]string, filters ...kio.Filter) map[string]string {
	t.Helper()
	dir := writeFiles(t, files)
	pkg := &kio.LocalPackageReadWriter{PackagePath: dir, PreserveSeqIndent: true}
	if err := (kio.Pipeline{Inputs: []kio.Reader{pkg}, Filters: filters, Outputs: []kio.Writer{pkg}}).Execute(); err != nil {
		t.Fatal(err)
	}
	return readFiles(t, dir)
}

func readConfig(t *testing.T, text string) transformers.Sidecars {
	t.Helper()
	config, findings := transformers.Read(transformers.Source{Text: []byte(text)})
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	return config
}

// TestPipelineWritesWhatApplyWrites compares the filter with Apply on the same files, whose texts go through a pipeline
// without the filter, because kyaml changes the layout of everything that it reads and writes.
func TestPipelineWritesWhatApplyWrites(t *testing.T) {
	config := readConfig(t, injector)
	filter := kiofilter.New(config)
	filtered := execute(t, files, filter)

	applied := map[string]string{}
	var sources []transformers.Source
	var names []string
	for name, text := range files {
		names, sources = append(names, name), append(sources, transformers.Source{File: name, Text: []byte(text)})
	}
	result, err := config.Apply(context.Background(), sources...)
	if err != nil || result.Failed() {
		t.Fatal(err, result.Findings)
	}
	for i, text := range result.Texts {
		applied[names[i]] = string(sources[i].Text)
		if text != nil {
			applied[names[i]] = string(text)
		}
	}
	if diff := cmp.Diff(execute(t, applied), filtered); diff != "" {
		t.Errorf("the filter differs from Apply (-Apply +filter):\n%s", diff)
	}
	diff := cmp.Diff(result.Counts, filter.Report.Counts)
	if diff != "" || filter.Report.Counts.String() != "3 workloads: 2 injected, 1 skipped" {
		t.Errorf("%s: %s", filter.Report.Counts, diff)
	}
	if diff := cmp.Diff(filtered, execute(t, filtered, kiofilter.New(config))); diff != "" {
		t.Errorf("a second run changes something:\n%s", diff)
	}
	if diff := cmp.Diff(execute(t, files), execute(t, filtered, kiofilter.New(config.Removing()))); diff != "" {
		t.Errorf("removing does not restore the original:\n%s", diff)
	}
}

func TestResultsNameTheFilesOfObjects(t *testing.T) {
	filter := kiofilter.New(readConfig(t, injector))
	execute(t, files, filter)
	results, err := filter.Results()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range results {
		if r.ResourceRef != nil && r.ResourceRef.Name == "lone" {
			if r.File.Path != "web.yaml" || r.File.Index != 1 || r.Tags["code"] != "Injected" || r.Severity != "info" {
				t.Errorf("%+v in %+v", r, r.File)
			}
			return
		}
	}
	t.Errorf("no result is about the Pod: %v", results)
}

func TestUnchangedNodesStayTheSame(t *testing.T) {
	var nodes []*yaml.RNode
	var values []*yaml.Node
	var texts []string
	for _, name := range []string{"namespaces.yaml", "sub/bank.yaml", "sub/config.yaml"} {
		for text := range strings.SplitSeq(files[name], "---\n") {
			n := yaml.MustParse(text)
			nodes, values, texts = append(nodes, n), append(values, n.YNode()), append(texts, n.MustString())
		}
	}
	filtered, err := kiofilter.New(readConfig(t, injector)).Filter(nodes)
	if err != nil {
		t.Fatal(err)
	}
	for i, n := range filtered {
		if n != nodes[i] || n.YNode() != values[i] || n.MustString() != texts[i] {
			t.Errorf("node %d has changed", i)
		}
	}
}

func TestAnErrorLeavesTheNodesAlone(t *testing.T) {
	fits := yaml.MustParse("{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {containers: [{name: a, image: a}]}}")
	clashes := yaml.MustParse("{apiVersion: v1, kind: Pod, metadata: {name: b}, spec: {containers: [{name: logs, image: mine}]}}")
	before := fits.MustString() + clashes.MustString()
	filter := kiofilter.New(readConfig(t,
		strings.Replace(injector, "namespaceSelector:\n    matchLabels: {logs: \"yes\"}\n", "paused: false\n", 1)))
	filtered, err := filter.Filter([]*yaml.RNode{fits, clashes})
	var found finding.Finding
	if !errors.As(err, &found) || filtered != nil || found.Code != finding.ContainerConflict || found.Object.Name != "b" {
		t.Errorf("%v", err)
	}
	if after := fits.MustString() + clashes.MustString(); after != before {
		t.Errorf("the nodes have changed:\n%s", after)
	}
	if !filter.Report.Failed() || filter.Report.Counts[transformers.HeldBack] != 1 {
		t.Errorf("%v", filter.Report.Counts)
	}
}

func TestTheContextEndsARun(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	filter := &kiofilter.Filter{Sidecars: readConfig(t, injector), Context: ctx}
	nodes := []*yaml.RNode{yaml.MustParse(files["sub/bank.yaml"])}
	if _, err := filter.Filter(nodes); err != nil {
		t.Fatal(err)
	}
	cancel()
	if _, err := filter.Filter(nodes); err == nil {
		t.Error("the run went on")
	}
	if len(filter.Report.Findings) > 0 {
		t.Error("the report is that of an earlier call", filter.Report.Findings)
	}
}
