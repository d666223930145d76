package audit_test

import (
	"testing"

	"pillion.dev/pillion/internal/audit"
	"pillion.dev/pillion/internal/text/manifest"
)

// FuzzRun audits whatever a stream holds: each pod that can be read has a row, and nothing panics.
func FuzzRun(f *testing.F) {
	f.Add(pod())
	f.Add(pod("annotations: {}", `annotations: {vpaUpdates: "Pod resources updated by a: container 1: cpu limit"}`, "100m", "200m"))
	f.Add(pod() + "---\n" + deployment(allContainers, "paused: true, ", "") + "\n---\n" + replicaSet("web-7d4b9c", allContainers))
	f.Add("{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: Pod}, {apiVersion: v1, kind: Namespace, metadata: [a]}]}")
	config := read(f, config)
	f.Fuzz(func(t *testing.T, text string) {
		stream, err := manifest.Read([]byte(text))
		if err != nil {
			return
		}
		found, err := audit.Run(t.Context(), config, stream.Items)
		if err != nil {
			t.Fatal(err)
		}
		pods := 0
		for _, item := range stream.Items {
			if item.APIVersion == "v1" && item.Kind == "Pod" && item.Broken == nil {
				pods++
			}
		}
		if len(found.Rows)+len(found.Findings) < pods {
			t.Errorf("%d rows and %d findings for %d pods", len(found.Rows), len(found.Findings), pods)
		}
	})
}
