package watcher_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pillion.dev/pillion/audit/test/watchertest"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/audit"
	"pillion.dev/pillion/internal/core/engine"
	"pillion.dev/pillion/internal/text/manifest"
)

// clusterObjects returns objects as an API server returns them, pods in the order of their names.
func clusterObjects() []string {
	metadata := func(name, more string) string {
		return fmt.Sprintf(`{"name": %q, "namespace": "shop", "uid": "1", "generation": 2, "managedFields": [{"manager": "m"}],
			"creationTimestamp": "2026-11-16T04:00:30Z"%s}`, name, more)
	}
	controlledBy := func(apiVersion, kind, name string) string {
		return fmt.Sprintf(`, "ownerReferences": [{"apiVersion": %q, "kind": %q, "name": %q, "controller": true}]`, apiVersion, kind, name)
	}
	container := func(version string) string {
		return fmt.Sprintf(`{"name": "web", "image": "web:1", "volumeMounts": [{"name": "kube-api-access-abcde", "mountPath": "/token"}]},
			{"name": "proxy", "image": "proxy:%s"}`, version)
	}
	template := func(version string) string {
		return fmt.Sprintf(`"template": {"metadata": {"labels": {"app": "web"}}, "spec": {"containers": [%s]}}`, container(version))
	}
	of := func(apiVersion, kind, metadata, rest string) string {
		return fmt.Sprintf(`{"apiVersion": %q, "kind": %q, "metadata": %s, %s}`, apiVersion, kind, metadata, rest)
	}
	running := func(name, owner, version, more string) string {
		return of("v1", "Pod", metadata(name, `, "labels": {"app": "web", "pod-template-hash": "new"}`+owner+more), fmt.Sprintf(
			`"spec": {"nodeName": "n", "containers": [%s], "volumes": [{"name": "kube-api-access-abcde"}]}, "status": {"phase": "Running",
			"containerStatuses": [{"name": "proxy", "imageID": "proxy@sha256:1", "ready": true}, {"name": "web", "imageID": "web@sha256:2"}]}`,
			container(version)))
	}
	status := `, "status": {"observedGeneration": 2, "replicas": 2, "updatedReplicas": 2, "conditions": [{"type": "Available"}]}`
	return []string{
		`{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "shop", "labels": {"mesh": "on"}}}`,
		of("apps/v1", "Deployment", metadata("web", ""), `"spec": {"replicas": 2, `+template("2.1")+"}"+status),
		of("apps/v1", "ReplicaSet", metadata("web-new", controlledBy("apps/v1", "Deployment", "web")), `"spec": {"replicas": 1,
			`+template("2.1")+"}"),
		of("apps/v1", "ReplicaSet", metadata("web-old", controlledBy("apps/v1", "Deployment", "web")), `"spec": {"replicas": 1,
			`+template("2.0")+"}"),
		of("apps/v1", "ReplicaSet", metadata("web-older", controlledBy("apps/v1", "Deployment", "web")), `"spec": {"replicas": 0,
			`+template("1")+"}"),
		of("apps/v1", "StatefulSet", metadata("db", ""), `"spec": {"updateStrategy": {"type": "OnDelete"}, `+template("2.1")+"}"+status),
		of("batch/v1", "Job", metadata("report-1", controlledBy("batch/v1", "CronJob", "report")), `"spec": {`+template("1")+"}"),
		of("batch/v1", "CronJob", metadata("report", ""), `"spec": {"jobTemplate": {"spec": {`+template("2.1")+"}}}"),
		strings.Replace(running("alone", "", "2.1", ""), "proxy@sha256:1", "proxy@sha256:3", 1),
		running("db-0", controlledBy("apps/v1", "StatefulSet", "db"), "2.0", ""),
		running("report-1-x", controlledBy("batch/v1", "Job", "report-1"), "1", ""),
		running("static", "", "2.0", `, "annotations": {"kubernetes.io/config.mirror": "a"}`),
		running("web-gone", controlledBy("apps/v1", "ReplicaSet", "web-older"), "1", `, "deletionTimestamp": "2026-11-16T05:00:00Z"`),
		running("web-new-x", controlledBy("apps/v1", "ReplicaSet", "web-new"), "2.1", ""),
		strings.Replace(running("web-new-y", controlledBy("apps/v1", "ReplicaSet", "web-new"), "2.1", ""), `{"name": "proxy", "image"`,
			`{"name": "p", "image"`, 1),
		running("web-old-x", controlledBy("apps/v1", "ReplicaSet", "web-old"), "2.0", ""),
	}
}

// TestSameAsThePipe compares what the watcher finds out with an audit of everything that the API server has.
func TestSameAsThePipe(t *testing.T) {
	t.Parallel()
	const config = proxy + "  namespaceSelector: {matchLabels: {mesh: \"on\"}}\n"
	api := newServer(t)
	for _, object := range clusterObjects() {
		api.Put(object)
	}
	w := start(t, api, watchertest.WriteConfig(t, config))
	waitUntilReady(t, w)
	got, err := w.Result(t.Context())
	if err != nil {
		t.Fatal(err)
	}

	read, findings := engine.ReadConfig(finding.Source{Text: []byte(config)})
	if finding.HasError(findings) {
		t.Fatal(findings)
	}
	stream, err := manifest.Read([]byte(`{"apiVersion": "v1", "kind": "List", "items": [` + strings.Join(clusterObjects(), ",\n") + "]}"))
	if err != nil {
		t.Fatal(err)
	}
	want, err := audit.Run(t.Context(), read, stream.Items)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := asJSON(t, got.Rows), asJSON(t, want.Rows); got != want {
		t.Errorf("the rows are\n%s\nwant\n%s", got, want)
	}
	if got, want := asJSON(t, got.Groups), asJSON(t, want.Groups); got != want {
		t.Errorf("the groups are\n%s\nwant\n%s", got, want)
	}
	for _, word := range []string{"current", "missing", "stale", "MirrorPod", "Terminating", "ImageMoved"} {
		if text := asJSON(t, got); !strings.Contains(text, `"`+word+`"`) {
			t.Errorf("there is no %s in %s", word, text)
		}
	}
}

func asJSON(t *testing.T, value any) string {
	t.Helper()
	text, err := json.MarshalIndent(value, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
