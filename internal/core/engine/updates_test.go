package engine_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// updates are specs of one injector, each of which fills other places than the rest.
var updates = map[string]string{
	"mounts": "volumes: [{name: v, emptyDir: {}}]\n" +
		"appContainers: [{containers: [app], volumeMounts: [{name: v, mountPath: /v}]}]\n",
	"env":       "appContainers: [{containers: [app], env: [{name: ADDED, value: x}], envFrom: [{configMapRef: {name: c}}]}]\n",
	"json":      "patchPodMetadata: [{annotations: {example.com/json: '{\"a\": 1}'}, patchPolicy: MergePatchJson}]\n",
	"container": "containers: [{name: helper2, image: helper:1}]\npodSpec: {tolerations: [{key: mesh, operator: Exists}]}\n",
}

// TestUpdateGivesBack claims that what one config fills and the next one of the same injector does not is
// written as it was before both.
func TestUpdateGivesBack(t *testing.T) {
	for _, layout := range layoutsIn(t, "empty.txtar") {
		for end, first := range ends(deploymentOf(string(layout.Data))) {
			t.Run(layout.Name+"/"+end, func(t *testing.T) {
				t.Parallel()
				checkUpdates(t, first)
			})
		}
	}
}

func checkUpdates(t *testing.T, first string) {
	for from, spec := range updates {
		with := mustApply(t, first, injectorOf("a", spec))
		comes := func(what, want, got string) {
			t.Helper()
			if got != want {
				t.Errorf("%s: %s (-want +got):\n%s", from, what, cmp.Diff(want, got))
			}
		}
		comes("a second run changes it", with, mustApply(t, with, injectorOf("a", spec)))
		comes("it is not given back", first, mustApply(t, with, removalOf("a")))
		for to, next := range updates {
			updated := mustApply(t, with, injectorOf("a", next))
			comes("the earlier config counts after "+to, mustApply(t, first, injectorOf("a", next)), updated)
			comes("it is not given back after "+to, first, mustApply(t, updated, removalOf("a")))
		}
	}
}
