package engine_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	kubernetes "sigs.k8s.io/yaml"

	"pillion.dev/pillion/internal/core/stamp"
)

// TestStampsAreUntrustedLayoutsSayNothingMore gives back texts with lines that claim to stand at the left margin, and
// entries that claim to have been far down: nothing else than the variable may change, whatever that does to the
// layout.
func TestStampsAreUntrustedLayoutsSayNothingMore(t *testing.T) { // 17
	const spec = "hostNetwork: false # as it is\ncontainers:\n- name: app\n  image: app:1\n  env:\n  # first\n  - name: A\n    value: a\n " +
		" # second\n  - name: LOG\n" +
		"    value: json\n  - name: B\n    value: b\n- name: other\n  image: other:1\n"
	const env = "spec/containers/app/env"
	kept := []string{
		"name: LOG\nvalue: \"x\n---\r\nkind: Secret\"", "name: LOG\nvalue: |\n  x\n---\r\nkind: Secret\r",
		"name: LOG\nvalue: x\nhostNetwork: true\r",
		"name: LOG\n  hostNetwork: true\r\nvalue: x", "name: LOG\nvalue: x\n# a: b\r\n  - name: EVIL\r\n    value: x\r",
		"name: LOG\nvalue: >\n  x\n  - name: EVIL\r",
		"name: LOG\nvalue: 'x\n\n  - name: EVIL\r\n'", "name: LOG\nvalue: x # \r\r\n", "\nname: LOG\r\nvalue: x\r",
		"# \n{name: LOG,\r\nvalue: x}\r",
	}
	for _, text := range kept {
		added := prints{env: {"LOG": whole}}
		for _, forged := range []*forgery{
			{Added: added, Was: texts{env: {"LOG": text}}},
		} {
			for _, config := range []string{trusting, removalOf("logs")} {
				pod := forgedPod(spec, map[string]*forgery{"logs": forged})
				after, said, failed := step(t, config, pod)
				if failed {
					if after != pod {
						t.Errorf("%q is refused, and the file changes:\n%s", text, after)
					}
					continue
				}
				if diff := cmp.Diff(withoutVariable(t, pod), withoutVariable(t, after)); diff != "" {
					t.Errorf("%q (-before +after):\n%s\n%s\n%s", text, diff, said, after)
				}
				if lost := lostComments(t, spec, after); len(lost) > 0 && !strings.Contains(said, "could not be kept") {
					t.Errorf("%q: %q is lost without a word:\n%s\n%s", text, lost, said, after)
				}
				if again, saidAgain, _ := step(t, config, after); again != after {
					t.Errorf("%q, a second run changes (-first +second):\n%s\n%s", text, cmp.Diff(after, again), saidAgain)
				}
			}
		}
	}
}

// withoutVariable is a pod without what the injector and its stamp name.
func withoutVariable(t *testing.T, pod string) any {
	t.Helper()
	var object map[string]any
	if err := kubernetes.UnmarshalStrict([]byte(pod), &object); err != nil || strings.Contains(pod, "\n---") {
		t.Fatalf("%v in:\n%s", err, pod)
	}
	delete(object["metadata"].(map[string]any)["annotations"].(map[string]any), stamp.Key("logs"))
	spec := object["spec"].(map[string]any)
	var containers []any
	for _, c := range spec["containers"].([]any) {
		container := c.(map[string]any)
		if container["name"] == "fluent-bit" {
			continue
		}
		var variables []any
		list, _ := container["env"].([]any)
		for _, v := range list {
			if v.(map[string]any)["name"] != "LOG" {
				variables = append(variables, v)
			}
		}
		container["env"] = variables
		containers = append(containers, container)
	}
	spec["containers"] = containers
	return object
}
