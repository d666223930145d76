package engine_test

import (
	"strings"
	"testing"
)

// Only parsers of YAML take NEL, LS and PS for line breaks. What is between them is read as these parsers do, and is not followed.
func TestAnObjectWithLineBreaksOfYAMLAloneIsWrittenAnew(t *testing.T) {
	for _, lineBreak := range []string{"\u0085", "\u2028", "\u2029"} {
		pod := "# of web\n" + strings.Replace(hiddenPod, "{name: web}", "{name: web, annotations: {a: \"x"+lineBreak+"y\"}}", 1)
		after, said, failed := step(t, everywhere, pod)
		if failed || !strings.Contains(said, "WrittenAnew") {
			t.Errorf("%q: it is edited in place, or refused:\n%s", lineBreak, said)
		}
		if !strings.HasPrefix(after, "# of web\n") || !strings.Contains(after, "name: log") || strings.Contains(after, lineBreak) {
			t.Errorf("%q: got:\n%s", lineBreak, after)
		}
		if again, said, failed := step(t, everywhere, after); again != after || failed {
			t.Errorf("%q: a second run changes it:\n%s\n%s", lineBreak, again, said)
		}
	}
}

func TestAListWithLineBreaksOfYAMLAloneIsRefused(t *testing.T) {
	list := "apiVersion: v1\nkind: List\nitems:\n- " + strings.Replace(hiddenFlow, "image: app", "image: app, args: [\"x\u2028y\"]", 1) + "\n"
	if _, said, failed := step(t, everywhere, list); !failed || !strings.Contains(said, "cannot be followed") {
		t.Errorf("it is not refused:\n%s", said)
	}
}

func TestJSONWithLineBreaksOfYAMLAloneIsEditedInPlace(t *testing.T) {
	pod := `{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web", "annotations": {"a": "x` + "\u2028" + `y"}}, ` +
		`"spec": {"containers": [{"name": "app", "image": "app"}]}}`
	with := mustApply(t, pod, everywhere)
	if !strings.Contains(with, "\"x\u2028y\"") {
		t.Errorf("got:\n%s", with)
	}
	if got := mustApply(t, with, removalOf("log")); got != pod {
		t.Errorf("it is not given back:\n%s", got)
	}
}
