package engine_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const stepped = `apiVersion: v1
kind: Pod
metadata:
  name: web
spec:
  containers:
  - name: web
    image: web:1
    env:
    - {name: A, value: a}
  volumes:
  - name: logs
    configMap: {name: logs}
`

// TestStepsSettle claims that injectors that run one after the other change nothing when they all run again, and
// that taking them out in any order gives back the first bytes.
func TestStepsSettle(t *testing.T) {
	const replaces = "{onConflict: {volume: Replace}, volumes: [{name: logs, hostPath: {path: /l}}], appContainers: [{env: [{name: ENV, " +
		"value: x}]}]}"
	for name, specs := range map[string]map[string]string{
		"a volume that two replace": {
			"a": strings.ReplaceAll(replaces, "ENV", "E1"), "b": strings.ReplaceAll(replaces, "ENV", "E2"),
			"c": "{appContainers: [{env: [{name: E3, value: x}]}]}",
		},
		"a label that another uses": {
			"a": "{patchPodMetadata: [{labels: {tier: web}}]}",
			"b": `{appContainers: [{env: [{name: TIER, value: "${pod.labels['tier']}"}]}]}`,
			"c": "{appContainers: [{env: [{name: E3, value: x}]}]}",
		},
		"a container in front of another's": {
			"a": "{containers: [{name: s1, image: s:1, podInjectPolicy: BeforeAppContainer}]}",
			"b": "{containers: [{name: s2, image: s:1, before: s1}]}",
		},
		"the app's container, which another replaces": {
			"a": `{containers: [{name: s1, image: s:1, args: ["${container.image}"]}]}`,
			"b": "{onConflict: {container: Replace}, containers: [{name: web, image: other:1, mode: Container}]}",
			"c": `{containers: [{name: s3, image: "s:${container.name}", args: ["${container.image}"]}]}`,
		},
		"the app's container behind a sidecar, which another replaces": {
			"a": "{containers: [{name: s1, image: s:1, podInjectPolicy: BeforeAppContainer}]}",
			"b": "{onConflict: {container: Replace}, containers: [{name: web, image: other:1, mode: Container}]}",
		},
		"the app's port, where another adds some": {
			"a": "{onConflict: {container: Merge}, containers: [{name: web, image: other:1, mode: Container, ports: [{containerPort: 80}]}]}",
			"b": `{appContainers: [{env: [{name: SELF, value: "${container.name}:${container.port:-none}"}]}]}`,
			"c": `{containers: [{name: s3, image: s:1, args: ["${container.port:-none}"]}]}`,
		},
		"a variable that a sidecar takes, and that another replaces": {
			"a": "{containers: [{name: s1, image: s:1, transferEnv: [{sourceContainerName: web}]}]}",
			"b": "{onConflict: {env: Replace}, appContainers: [{env: [{name: A, value: b}, {name: B, value: b}]}]}",
		},
		"variables that a sidecar takes, of a container that another replaces": {
			"a": "{containers: [{name: s1, image: s:1, transferEnv: [{sourceContainerName: web, envName: A}]}]}",
			"b": "{onConflict: {container: Replace}, containers: [{name: web, image: other:1, mode: Container}]}",
		},
		"two containers, each behind the other": {
			"a": "{containers: [{name: s1, image: s:1, mode: Container, after: s2}]}",
			"b": "{containers: [{name: s2, image: s:1, mode: Container, after: s1}]}",
		},
		"a container behind one that a later step puts in front": {
			"a": "{containers: [{name: s1, image: s:1, mode: Container, after: s2}]}",
			"b": "{containers: [{name: s2, image: s:1, mode: Container, podInjectPolicy: BeforeAppContainer}]}",
		},
		"the app's default container, which others set": {
			"a": "{containers: [{name: s1, image: s:1}]}",
			"b": "{patchPodMetadata: [{annotations: {kubectl.kubernetes.io/default-container: s1}, patchPolicy: Overwrite}]}",
			"c": `{containers: [{name: s3, image: "s:${container.name}"}], podSpec: {hostname: "${container.name}"}}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			config := func(injector, action string) string {
				return "apiVersion: pillion.dev/v1alpha1\nkind: SidecarInjector\nmetadata: {name: " + injector + "}\nspec: {action: " + action + ", " +
					strings.TrimPrefix(specs[injector], "{") + "\n"
			}
			all := []string{"a", "b", "c"}[:len(specs)]
			round := func(items string) string {
				for _, injector := range all {
					after, said, failed := step(t, config(injector, "Inject"), items)
					if failed {
						t.Fatal(said)
					}
					items = after
				}
				return items
			}
			once := round(stepped)
			if diff := cmp.Diff(once, round(once)); diff != "" {
				t.Errorf("a second pass changes something (-first +second):\n%s", diff)
			}
			for first := range all {
				items := once
				for i := range all {
					items, _, _ = step(t, config(all[(first+i)%len(all)], "Remove"), items)
				}
				if diff := cmp.Diff(stepped, items); diff != "" {
					t.Errorf("removing all, %s first, does not give back the first bytes (-first +back):\n%s", all[first], diff)
				}
			}
		})
	}
}
