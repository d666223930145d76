package node_test

import (
	"testing"

	"pillion.dev/pillion/internal/text/yaml/node"
	"pillion.dev/pillion/internal/text/yaml/read"
)

func TestFindLeadsToTheNearestPlaceThatIsThere(t *testing.T) {
	const text = `metadata:
  labels:
    app: web
    app.kubernetes.io/name: web
spec:
  containers:
  - name: web
    ports: [{containerPort: 80}]
`
	var document node.Node
	if err := read.Into([]byte(text), &document); err != nil {
		t.Fatal(err)
	}
	tests := map[string]struct{ line, column int }{
		"spec":                                       {5, 1},
		"spec.containers[0].name":                    {7, 5},
		"spec.containers[0].ports[0]":                {8, 13},
		"spec.containers[7].name":                    {6, 3},
		"spec.volumes":                               {5, 1},
		"metadata.labels.app":                        {3, 5},
		"metadata.labels.app.kubernetes.io/name":     {4, 5},
		`metadata.labels["app.kubernetes.io/name"]`:  {4, 5},
		`metadata.labels["app.kubernetes.io/other"]`: {2, 3},
		"spec.containers: more words":                {6, 3},
		"spec.containers[x]":                         {6, 3},
		"":                                           {},
		"status":                                     {},
	}
	for path, want := range tests {
		var line, column int
		if found := node.Find(document.Content[0], path); found != nil {
			line, column = read.Position([]byte(text), int(found.Start))
		}
		if line != want.line || column != want.column {
			t.Errorf("%q: got %d:%d, want %d:%d", path, line, column, want.line, want.column)
		}
	}
}
