package apply_test

import (
	"fmt"
	"strings"
	"testing"

	"pillion.dev/pillion/internal/config/injector"
	"pillion.dev/pillion/internal/text/yaml/node"
	"pillion.dev/pillion/internal/text/yaml/read"
)

// TestWorkGrowsWithTheVariables gives a sidecar mounts and variables that refer to each other. What counts is
// how often memory is asked for, which a clock does not change: four times the input, four times as often.
func TestWorkGrowsWithTheVariables(t *testing.T) {
	for _, test := range []struct{ claim, config string }{
		{"mounts that are shared", "shareVolumePolicy: {type: Enabled}"},
		{"variables that are taken over", "transferEnv: [{sourceContainerName: app}]"},
	} {
		t.Run(test.claim, func(t *testing.T) {
			in, findings := injector.Read(document(t, "apiVersion: pillion.dev/v1alpha1\nkind: SidecarInjector\nmetadata: {name: x}\n"+
				"spec: {containers: [{name: x, image: x, "+test.config+"}]}"))
			if len(findings) > 0 {
				t.Fatal(findings)
			}
			work := func(count int) float64 {
				before := document(t, chained(count))
				return testing.AllocsPerRun(1, func() {
					checkFindings(t, alone(before).want(in[0].Plan(), nil, nil), nil)
				})
			}
			if short, long := work(200), work(800); long > 6*short {
				t.Errorf("four times the input takes %.0f allocations instead of %.0f", long, short)
			}
		})
	}
}

// chained is a pod whose variables each refer to all before by the one before, with a mount for each.
func chained(count int) string {
	var env, mounts strings.Builder
	for i := range count {
		fmt.Fprintf(&env, "    - {name: V%d, value: $(V%d)$(V%d)}\n", i+1, i, i)
		fmt.Fprintf(&mounts, "    - {name: data, mountPath: /m%d}\n", i)
	}
	return "metadata: {name: web}\nspec:\n  volumes: [{name: data, emptyDir: {}}]\n  containers:\n  - name: app\n    env:\n" +
		"    - {name: V0, value: '1'}\n" + env.String() + "    volumeMounts:\n" + mounts.String()
}

func document(t *testing.T, text string) *node.Node {
	t.Helper()
	var document node.Node
	if err := read.Into([]byte(text), &document); err != nil {
		t.Fatal(err)
	}
	return document.Content[0]
}
