package pod_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
	"pillion.dev/pillion/internal/text/yaml/read"
)

const podWithNames = `serviceAccountName: a
priorityClassName: b
imagePullSecrets: [{name: c}]
initContainers:
- name: init
  env: [{name: A, value: x}, {name: B, valueFrom: {configMapKeyRef: {name: d, key: k}}}]
  envFrom: [{secretRef: {name: e}}]
containers:
- name: app
  envFrom: [{prefix: X}, {configMapRef: {name: g}}]
  env: [{name: B, valueFrom: {secretKeyRef: {name: f, key: k}}}]
ephemeralContainers: [{name: shell, envFrom: [{secretRef: {name: other}}]}]
volumes:
- {name: v, configMap: &c {name: h}}
- {name: w, secret: {secretName: i}}
- {name: x, projected: {sources: [{secret: {name: j}}, {configMap: {name: k}}]}}
- {name: y, persistentVolumeClaim: {claimName: l}}
- {name: z, emptyDir: {}}
- {name: alias, configMap: *c}
- {name: merged, configMap: {<<: *c}}
`

// TestNames finds all names of objects, in an order that does not depend on that of the fields.
func TestNames(t *testing.T) {
	var document node.Node
	if err := read.Into([]byte(podWithNames), &document); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, name := range pod.Of("spec").Names(document.Content[0]) {
		got = append(got, name.Kind+" "+name.Node.Value)
	}
	want := []string{
		"Secret f", "ConfigMap g", "Secret c", "ConfigMap d", "Secret e", "PriorityClass b", "ServiceAccount a",
		"ConfigMap h", "Secret i", "Secret j", "ConfigMap k", "PersistentVolumeClaim l", "ConfigMap h", "ConfigMap h",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestIsSameName(t *testing.T) {
	const hash = "-f7425cff42"
	for _, test := range []struct {
		claim          string
		declared, name string
		workload       string
		want           bool
	}{
		{"the name itself", "conf", "conf", "web", true},
		{"a hash", "conf", "conf" + hash, "web", true},
		{"a prefix", "conf", "prod-conf", "web", true},
		{"a suffix", "conf", "conf-v2", "web", true},
		{"dots", "conf", "a.conf.z", "web", true},
		{"all of them", "conf", "prod-shop-conf-eu" + hash, "web", true},
		{"a name of several parts", "proxy-conf", "prod-proxy-conf-eu", "web", true},
		{"the second place where it is", "conf", "xconf-conf", "web", true},
		{"the workload's prefix without a dash", "conf", "prodconf", "prodweb", true},
		{"the workload's suffix without a dash", "conf", "confeu" + hash, "webeu", true},
		{"one of each", "conf", "prodconf-eu", "prodweb", true},
		{"a prefix without a dash", "conf", "prodconf", "web", false},
		{"the workload's whole name", "hook", "webhook", "web", false},
		{"part of a word", "conf", "config", "web", false},
		{"parts in another order", "proxy-conf", "conf-proxy", "web", false},
		{"another name", "conf", "other", "web", false},
		{"no name in the config", "", "conf", "web", false},
		{"a name that is too long", "a", "a-" + strings.Repeat("a", 1<<20), "web", false},
	} {
		if got := pod.IsSameName(test.declared, test.name, test.workload); got != test.want {
			t.Errorf("%s: %q is %q: %v, want %v", test.claim, test.name, test.declared, got, test.want)
		}
	}
}

func TestFindDeclaredName(t *testing.T) {
	declared := pod.Declared{"Secret": {"db": true, "db-admin": true, "key": true}, "ConfigMap": {"conf": true}}
	for name, want := range map[string]string{
		"db": "db", "prod-db": "db", "prod-db-admin-eu": "db-admin", "conf": "", "keydb": "", "key-db": "key",
	} {
		scalar := &node.Node{Kind: node.ScalarNode, Value: name}
		if got := declared.Find(pod.Name{Kind: "Secret", Node: scalar}, "web"); got != want {
			t.Errorf("the Secret %s is %q, want %q", name, got, want)
		}
	}
}

func TestRenamedKeys(t *testing.T) {
	secrets, sources := pod.InSpec("imagePullSecrets"), pod.InContainer("envFrom")
	for _, test := range []struct {
		row               *pod.Row
		declared, present string
		want              bool
	}{
		{secrets, "registry", "prod-registry", true},
		{secrets, "registry", "prod-mirror", false},
		{secrets, "registry", "registry-mirror", false},
		{secrets, "registry", "test-registry-f7425cff42", true},
		{sources, "configMapRef conf", "configMapRef prod-conf", true},
		{sources, "configMapRef conf X_", "configMapRef prod-conf X_", true},
		{sources, "configMapRef conf X_", "configMapRef prod-conf Y_", false},
		{sources, "configMapRef conf", "secretRef prod-conf", false},
		{pod.InSpec("volumes"), "conf", "prod-conf", false},
	} {
		if got := test.row.IsRenamedKey(test.declared, test.present, "prod-web"); got != test.want {
			t.Errorf("%s: %q is %q: %v, want %v", test.row.Path, test.present, test.declared, got, test.want)
		}
	}
}
