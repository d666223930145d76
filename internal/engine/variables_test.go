package engine_test

import (
	"fmt"
	"strconv"
	"testing"

	"go.yaml.in/yaml/v3"
)

// TestVariablesKeepTheirValueInEveryStyle puts values that YAML may take for something else into
// texts of every style.
func TestVariablesKeepTheirValueInEveryStyle(t *testing.T) {
	styles := map[string]string{
		"plain":   "${pod.annotations['x']}",
		"single":  "'${pod.annotations[''x'']}'",
		"double":  `"${pod.annotations['x']}"`,
		"literal": "|-\n      ${pod.annotations['x']}",
		"folded":  ">-\n      ${pod.annotations['x']}",
	}
	templates := map[string]string{
		"block": "spec:\n  containers:\n  - name: app\n    image: app:1\n",
		"flow":  "spec: {containers: [{name: app, image: 'app:1'}]}\n",
		"JSON":  `"spec": {"containers": [{"name": "app", "image": "app:1"}]}` + "\n",
	}
	for style, text := range styles {
		for form, spec := range templates {
			for _, value := range []string{
				"8080", "0x1F", "1e3", "true", "on", "null", "~", "2020-01-01", "", " ", " lead", "trail ", "a: b", "a #b", "- a", "# a", "{a}", "[a",
				"*a", "&a", "!a",
				"a\nb", "\na", "a\n", "a\n\n", "a\n b\n\nc", "  a\nb", "\t", "a\tb", "a\u00a0\u2028b", "\"", "'", "\\", "${workload.name}", "--- a",
				"...", "é",
			} {
				t.Run(fmt.Sprintf("%s/%s/%q", style, form, value), func(t *testing.T) {
					config := "apiVersion: pillion.dev/v1alpha1\nkind: SidecarInjector\nmetadata: {name: envoy}\nspec:\n  containers:\n  - name: " +
						"envoy\n    image: envoy:1\n" +
						"    workingDir: " + text + "\n"
					items := "apiVersion: v1\nkind: Pod\nmetadata: {name: a, annotations: {x: " + strconv.Quote(value) + "}}\n" + spec
					out, says := run(t, config, items)
					var pod struct {
						Spec struct {
							Containers []struct {
								WorkingDir any `yaml:"workingDir"`
							}
						}
					}
					if err := yaml.Unmarshal([]byte(out), &pod); err != nil || len(pod.Spec.Containers) != 2 {
						t.Fatalf("%v\n%s%s", err, out, says)
					}
					if got := pod.Spec.Containers[1].WorkingDir; got != value {
						t.Errorf("got %#v from:\n%s", got, out)
					}
					if again, _ := run(t, config, out); again != out {
						t.Errorf("a second run makes of:\n%sthis:\n%s", out, again)
					}
				})
			}
		}
	}
}
