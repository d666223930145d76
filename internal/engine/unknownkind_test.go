package engine_test

import (
	"strings"
	"testing"
)

// The warning about an unknown kind has the lines that declare it. With them in the config, its pods get the sidecar.
func TestTheLinesThatDeclareAnUnknownKindCanBePasted(t *testing.T) {
	const config = "apiVersion: pillion.dev/v1alpha1\nkind: SidecarInjector\nmetadata:\n  name: envoy\nspec:\n" +
		"  containers:\n  - name: envoy\n    image: envoy:1\n"
	const pod = "{spec: {containers: [{name: app, image: app:1}]}}"
	for _, items := range []string{
		"apiVersion: ray.io/v1\nkind: RayCluster\nmetadata:\n  name: a\nspec:\n  head: " + pod + "\n  groups:\n  - template: " + pod + "\n",
		"apiVersion: v1\nkind: Template\nmetadata:\n  name: a\nobjects:\n- spec:\n    template: " + pod + "\n",
	} {
		unchanged, says := run(t, config, items)
		if unchanged != items {
			t.Errorf("it is changed:\n%s", unchanged)
		}
		lines := ""
		for line := range strings.Lines(says) {
			if line, isPasted := strings.CutPrefix(line, "    "); isPasted && line != "spec:\n" {
				lines += line
			}
		}
		injected, says := run(t, config+lines, items)
		if strings.Count(injected, "envoy:1") != strings.Count(items, "app:1") || strings.Contains(says, "warning") {
			t.Errorf("with the lines\n%s\nit becomes\n%s\n%s", lines, injected, says)
		}
	}
}
