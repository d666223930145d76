package engine_test

import (
	"strings"
	"testing"
)

// TestVariablesGoBeforeTheAppsFirst has an app whose first variable is also one of the config.
func TestVariablesGoBeforeTheAppsFirst(t *testing.T) {
	pod := `apiVersion: v1
kind: Pod
metadata: {name: web}
spec:
  containers:
  - name: app
    image: app
    env:
    - {name: LOG, value: "$(OTHER)"}
    - {name: B, value: x}
`
	with := mustApply(t, pod, injectorOf("a", `appContainers:
- env: [{name: FIRST, value: "1"}, {name: LOG, value: "2"}, {name: OTHER, value: "3"}]
`))
	last := 0
	for _, name := range []string{"FIRST", "name: OTHER", "name: LOG", "name: B"} {
		at := strings.Index(with[last:], name)
		if at < 0 {
			t.Fatalf("%s is not behind the others:\n%s", name, with)
		}
		last += at
	}
}

func TestEmptyBracketsOfAnIndentedListAreFilledAtItsIndentation(t *testing.T) {
	list := `{
  "apiVersion": "v1",
  "kind": "List",
  "items": [
    {
      "apiVersion": "v1",
      "kind": "Pod",
      "metadata": {
        "name": "a"
      },
      "spec": {
        "containers": [
          {
            "name": "a",
            "image": "b"
          }
        ],
        "volumes": []
      }
    }
  ]
}
`
	with := mustApply(t, list, injectorOf("a", "volumes: [{name: buffer, emptyDir: {}}]\n"))
	if want := "        \"volumes\": [\n          {\n            \"name\": \"buffer\","; !strings.Contains(with, want) {
		t.Errorf("got:\n%s\nwant:\n%s", with, want)
	}
	if got := mustApply(t, with, removalOf("a")); got != list {
		t.Errorf("it is not given back:\n%s", got)
	}
}
