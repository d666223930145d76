package engine_test

import (
	"strings"
	"testing"
)

// Only parsers of YAML take NEL, LS and PS for line breaks. Where that makes no difference to where values are, they
// stay.
func TestLineBreaksOfYAMLAloneStayInQuotes(t *testing.T) {
	for _, lineBreak := range []string{"\u0085", "\u2028", "\u2029"} {
		quoted := "{name: web, annotations: {a: \"x" + lineBreak + "y\", b: 'x" + lineBreak + "y'}}"
		json := `{"apiVersion": "v1", "kind": "Pod", "metadata": ` + strings.NewReplacer("'", `"`, "name", `"name"`, "web", `"web"`,
			"annotations", `"annotations"`, "a:", `"a":`, "b:", `"b":`).Replace(quoted) +
			`, "spec": {"containers": [{"name": "app", "image": "app"}]}}`
		for _, pod := range []string{
			strings.Replace(hiddenPod, "{name: web}", quoted, 1),
			"apiVersion: v1\nkind: List\nitems:\n- " +
				strings.Replace(hiddenFlow, "image: app", "image: app, args: [\"x"+lineBreak+"y\"]", 1) + "\n",
			"# of" + lineBreak + "# web\n" + hiddenPod,
			json,
		} {
			with := mustApply(t, pod, everywhere)
			if strings.Count(with, lineBreak) != strings.Count(pod, lineBreak) || !strings.Contains(with, "log") {
				t.Errorf("%q: got:\n%s", lineBreak, with)
			}
			if got := mustApply(t, with, removalOf("log")); got != pod {
				t.Errorf("%q is not given back:\n%s", pod, got)
			}
		}
	}
}

func TestWhatLineBreaksOfYAMLAloneDivideIsRefused(t *testing.T) {
	pod := strings.Replace(hiddenPod, "kind: Pod\n", "kind: Pod\u2028", 1)
	if after, said, failed := step(t, everywhere, pod); !failed || after != pod || !strings.Contains(said, "cannot be followed") {
		t.Errorf("it is not refused:\n%s", said)
	}
}
