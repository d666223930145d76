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

// TestAReplacedVariableComesBack has a variable of the app that is replaced, and goes behind one that it uses. An update
// that does not use it any more puts it where the app has it.
func TestAReplacedVariableComesBack(t *testing.T) {
	first := deploymentOf("spec:\n  containers:\n  - name: app\n    env:\n    - {name: J, value: j}\n    - {name: A, value: q}\n")
	replacing := func(value string) string {
		return injectorOf("a", "onConflict: {env: Replace}\nappContainers: [{env: [{name: J, value: "+value+"}]}]\n")
	}
	moved := mustApply(t, first, replacing("$(A)"))
	updated := mustApply(t, moved, replacing("plain"))
	if diff := cmp.Diff(mustApply(t, first, replacing("plain")), updated); diff != "" {
		t.Errorf("the earlier config counts (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(first, mustApply(t, updated, removalOf("a"))); diff != "" {
		t.Errorf("it is not given back (-want +got):\n%s", diff)
	}
}
