package engine_test

import (
	"encoding/json"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// TestAnInjectedFileMayBecomeJSON makes JSON of an injected object, as yq does: the next run changes nothing, and a
// removal leaves it JSON, though the stamp keeps what was replaced as YAML.
func TestAnInjectedFileMayBecomeJSON(t *testing.T) {
	config := injectorOf("logs", `onConflict: {container: Replace, env: Replace}
containers: [{name: logs, image: "logs:2", mode: Container}]
volumes: [{name: v, emptyDir: {}}]
patchPodMetadata: [{labels: {a: b}}]
appContainers:
- env: [{name: LOG, value: json}]
  volumeMounts: [{name: v, mountPath: /v}]
  envFrom: [{configMapRef: {name: x}}]
`)
	for claim, pod := range map[string]string{
		"nothing where a value goes": "containers:\n- name: app\n  image: i\n  env:\n  volumeMounts: null\n  envFrom: ~\nvolumes:\n",
		"empty lists":                "containers:\n- name: app\n  image: i\n  env: []\n  volumeMounts: [ ]\nvolumes: []\n",
		"replaced on one line":       "containers:\n- name: app\n  image: i\n  env: [{name: LOG, value: 'text'}]\n- {name: logs, image: 'old'}\n",
		"replaced on lines": "containers:\n- name: app\n  image: i\n  env:\n  - name: LOG # ours\n    value: text\n" +
			"- name: logs\n  image: old\n",
	} {
		t.Run(claim, func(t *testing.T) {
			injected, err := yaml.YAMLToJSON([]byte(mustRun(t, deployment(pod), config)))
			if err != nil {
				t.Fatal(err)
			}
			if again := mustRun(t, string(injected)+"\n", config); again != string(injected)+"\n" {
				t.Errorf("the next run changes\n%s\nto\n%s", injected, again)
			}
			if removed := mustRun(t, string(injected)+"\n", removalOf("logs")); !json.Valid([]byte(removed)) {
				t.Errorf("this is JSON no more:\n%s", removed)
			}
		})
	}
}

func TestATextThatIsAddedToAListInAJSONFileIsJSON(t *testing.T) {
	const pod = `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web"},"spec":{"dnsConfig":{"searches":["a.example"]},` +
		`"hostAliases":[{"ip":"10.0.0.1","hostnames":["one"]}],"containers":[{"name":"app","image":"app:1"}]}}` + "\n"
	config := injectorOf("hosts", "podSpec: {hostAliases: [{ip: 10.0.0.1, hostnames: [two]}], dnsConfig: {searches: [b.example]}}\n")
	for _, text := range []string{pod, `{"apiVersion":"v1","kind":"List","items":[` + strings.TrimSpace(pod) + "]}\n"} {
		after := mustRun(t, text, config)
		if !json.Valid([]byte(after)) || !strings.Contains(after, `["one","two"]`) {
			t.Errorf("this is not JSON:\n%s", after)
		}
		if back := mustRun(t, after, removalOf("hosts")); back != text {
			t.Errorf("removing it gives\n%s", back)
		}
	}
}
