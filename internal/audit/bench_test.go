package audit_test

import (
	"fmt"
	"testing"

	"pillion.dev/pillion/internal/audit"
	"pillion.dev/pillion/internal/pods/live"
	"pillion.dev/pillion/internal/text/yaml/node"
	yamlread "pillion.dev/pillion/internal/text/yaml/read"
)

// BenchmarkOnePod audits one pod of a cluster with many namespaces, as a watcher does after each change.
func BenchmarkOnePod(b *testing.B) {
	parsed := func(text string) live.Object {
		var document node.Node
		if err := yamlread.Into([]byte(text), &document); err != nil {
			b.Fatal(err)
		}
		return live.NewObject(document.Content[0])
	}
	var namespaces []live.Object
	for i := range 2000 {
		namespaces = append(namespaces, parsed(fmt.Sprintf("{apiVersion: v1, kind: Namespace, metadata: {name: n%d, labels: {team: a}}}", i)))
	}
	auditor, err := audit.New(read(b, config), namespaces)
	if err != nil {
		b.Fatal(err)
	}
	pods := []live.Object{parsed(pod("namespace: shop", "namespace: n7"))}
	for b.Loop() {
		if rows, err := auditor.Pods(b.Context(), pods); err != nil || len(rows) != 1 {
			b.Fatal(rows, err)
		}
	}
}
