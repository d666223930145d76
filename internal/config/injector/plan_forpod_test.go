package injector_test

import (
	"testing"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/injector"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
	"pillion.dev/pillion/internal/text/yaml/read"
)

// TestOnlyWhatVariesIsMadeForAPod has values with and without variables, one that refers to the app's containers, and
// an annotation that sets a field.
func TestOnlyWhatVariesIsMadeForAPod(t *testing.T) {
	p := planOf(t, `
  volumes: [{name: data, emptyDir: {}}, {name: conf, configMap: {name: "${workload.name}-conf"}}]
  appContainers: [{env: [{name: SELF, value: "${container.name}"}, {name: MODE, value: fast}]}]
  containers:
  - {name: "${workload.name}-proxy", image: p, args: [a], allowOverride: [image]}
  - {name: logs, image: l}
`)
	var template node.Node
	if err := read.Into([]byte(`
metadata: {annotations: {pillion.dev/web-proxy.image: p:2}}
spec: {containers: [{name: app, image: a}, {name: job, image: a}]}
`), &template); err != nil {
		t.Fatal(err)
	}
	values, findings := p.ValuesFor(injector.Subject{
		Object: &finding.Object{Kind: "Deployment", Name: "web"}, Template: pod.Template{Node: template.Content[0]},
	})
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	with := p.With(values)
	for _, test := range []struct {
		field    string
		index    int
		isShared bool
		key      string
		value    string
	}{
		{"volumes", 0, true, "data", "{name: data, emptyDir: {}}"},
		{"volumes", 1, false, "conf", "{name: conf, configMap: {name: web-conf}}"},
		{"appContainers", 1, true, "MODE", "{name: MODE, value: fast}"},
		{"containers", 0, false, "web-proxy", "{name: web-proxy, image: p:2, args: [a]}"},
		{"containers", 1, true, "logs", "{name: logs, image: l}"},
	} {
		before, op := p.In(test.field)[test.index], with.In(test.field)[test.index]
		if isShared := before.Value == op.Value && before.Native == op.Native; isShared != test.isShared {
			t.Errorf("%s[%d] is shared: %v", test.field, test.index, isShared)
		}
		if op.Key != test.key || node.Brief(op.Value) != test.value {
			t.Errorf("%s[%d] is %s, %s", test.field, test.index, op.Key, node.Brief(op.Value))
		}
	}
	for _, container := range []string{"app", "job"} {
		if got := with.ExpandFor(container, with.In("appContainers")[0]); node.Text(got.Value, "value") != container {
			t.Errorf("%s gets %s", container, node.Brief(got.Value))
		}
	}
	if native := with.Container("web-proxy").Native; node.Text(native, "image") != "p:2" || node.Text(native, "restartPolicy") != "Always" {
		t.Error(node.Brief(native))
	}
	if with.Has("${workload.name}-proxy") || p.With(nil) != p {
		t.Error("the plan is not that of the pod")
	}
	if first := p.In("containers")[0]; first.Key != "${workload.name}-proxy" || first.Verb != injector.Add {
		t.Errorf("the plan of all pods has changed: %s", first.Key)
	}
}
