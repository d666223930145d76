package engine_test

import (
	"strings"
	"testing"
)

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

// TestBracesOfWhichNothingStays has an item whose only annotation is one that kpt must not get back, see dropIdentity.
func TestBracesOfWhichNothingStays(t *testing.T) {
	pod := "apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\n  annotations: {internal.config.kubernetes.io/id: \"2\"}\n" +
		"spec:\n  containers:\n  # the app\n  - name: app\n    image: app:1\n"
	with := mustApply(t, pod, injectorOf("a", "containers: [{name: s, image: s, mode: Container, podInjectPolicy: BeforeAppContainer}]\n"))
	if !strings.Contains(with, "  annotations: {kubectl.kubernetes.io/default-container: app, ") {
		t.Errorf("got:\n%s", with)
	}
}
