package audit_test

import (
	"strings"
	"testing"

	"pillion.dev/pillion/internal/audit"
)

// TestLabelsOfWorkloads audits with an injector that selects by the labels of workloads.
func TestLabelsOfWorkloads(t *testing.T) {
	byWorkload := strings.Replace(config, "selector: {matchLabels: {app: web}}",
		"selector: {matchLabels: {team: shop}}\n  selectorScope: Workload", 1)
	const workload = `{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: shop, labels: {team: shop}},
  spec: {template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: "web:1"}]}}}}`
	if rows := run(t, byWorkload, pod(), workload); len(rows) != 1 || rows[0].State != audit.Current {
		t.Errorf("got %+v", rows)
	}
	other := strings.Replace(workload, "team: shop", "team: lab", 1)
	if rows := run(t, byWorkload, pod(), other); len(rows) != 1 || rows[0].State != audit.Skipped {
		t.Errorf("got %+v", rows)
	}
}

// TestUnknownNamespace audits a stamped pod whose namespace is not in the input, so that nobody knows whether it is
// selected.
func TestUnknownNamespace(t *testing.T) {
	byNamespace := strings.Replace(config, "selector: {matchLabels: {app: web}}", "namespaceSelector: {matchLabels: {team: shop}}", 1)
	const namespace = "{apiVersion: v1, kind: Namespace, metadata: {name: shop, labels: {team: lab}}}"
	stamped := pod("annotations: {}", "annotations: {pillion.dev/injected-proxy: 1 c(proxy:fvT0Cb) _0feoE}")
	if rows := run(t, byNamespace, stamped, namespace); len(rows) != 1 || rows[0].State != audit.Unexpected {
		t.Errorf("got %+v", rows)
	}
	if rows := run(t, byNamespace, stamped); len(rows) != 1 || rows[0].State != audit.Skipped {
		t.Errorf("got %+v", rows)
	}
}

// TestNamesOfInjectorsThatDoNotSelectAPodAreTheApps audits a pod whose only containers have names of an injector that
// may select it.
func TestNamesOfInjectorsThatDoNotSelectAPodAreTheApps(t *testing.T) {
	const injectors = `
apiVersion: pillion.dev/v1alpha1
kind: SidecarInjectorList
items:
- metadata: {name: base}
  spec: {appContainers: [{env: [{name: A, value: "1"}]}]}
- metadata: {name: other}
  spec:
    namespaceSelector: {matchLabels: {mesh: "on"}}
    containers: [{name: web, image: other}, {name: proxy, image: "proxy:2.1", mode: Container}]
`
	namespace := "apiVersion: v1\nkind: Namespace\nmetadata: {name: shop, labels: {mesh: \"on\"}}\n"
	for _, c := range []struct{ name, config, namespace, want string }{
		{
			"the app's", injectors, strings.Replace(namespace, `"on"`, `"off"`, 1),
			"missing spec.containers[1].env[0] spec.containers[0].env[0]",
		},
		{
			"one is the other injector's", strings.Replace(injectors, "{name: web, image: other}, ", "", 1), namespace,
			"missing spec.containers[0].env[0]",
		},
	} {
		if got := describe(run(t, c.config, c.namespace, pod())[0]); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}
