package selection

import (
	"testing"

	"pillion.dev/pillion/internal/text/yaml/node"
)

// TestOnlyNamespacesAndMarkersKeepAnInjectorFromWhatMakesPods checks for whom the pods of an object may be that are made
// elsewhere, as far as the object tells.
func TestOnlyNamespacesAndMarkersKeepAnInjectorFromWhatMakesPods(t *testing.T) {
	marked := func(value string) string { return "annotations: {sidecar.example/inject: " + value + "}" }
	for _, test := range []struct {
		spec, namespace, metadata string
		want                      bool
	}{
		{"", "shop", "", true},
		{"", "", "", true},
		{"", "kube-system", "", false}, // which is excluded by default
		{"namespaces: {include: [shop]}", "shop", "", true},
		{"namespaces: {include: [shop]}", "lab", "", false},
		{"namespaces: {include: [shop]}", "", "", true}, // not known
		{"namespaces: {include: ['sh*']}", "shop", "", true},
		{"namespaces: {include: ['sh*']}", "lab", "", false},
		{"namespaces: {exclude: [shop]}", "shop", "", false},
		{"namespaces: {exclude: ['sh*']}", "shop", "", false},
		{"namespaces: {exclude: [shop]}", "lab", "", true},
		{"namespaces: {exclude: [shop]}", "", "", true},
		{"marker: sidecar.example/inject", "shop", marked("'false'"), false},
		{"marker: sidecar.example/inject", "", marked("'false'"), false},
		{"marker: sidecar.example/inject", "shop", "labels: {sidecar.example/inject: 'false'}", false},
		{"marker: sidecar.example/inject", "shop", marked("'true'"), true},
		{"marker: sidecar.example/inject", "shop", marked("'logs, mesh'"), true},
		{"marker: sidecar.example/inject", "shop", marked("mesh"), false},
		{"marker: sidecar.example/inject", "shop", marked("log"), true}, // misspelt
		{"marker: sidecar.example/inject", "shop", marked("'no'"), true},
		{"marker: sidecar.example/inject", "shop", "annotations: {pillion.dev/inject: 'false'}", true},
		// What the pods have is not known.
		{"selector: {matchLabels: {app: web}}", "shop", "labels: {app: db}", true},
		{"names: [web]", "shop", "name: db", true},
		{"policy: Disabled", "shop", "", true},
		{"jobs: Skip", "shop", "", true},
	} {
		s := newSelection(t, test.spec, nil)
		object := newCandidate(t, podOf(test.metadata, "")).Workload
		if got := s.MayMean(test.namespace, node.Get(object, "metadata")); got != test.want {
			t.Errorf("%s, in %q with %s: %v", test.spec, test.namespace, test.metadata, got)
		}
	}
}
