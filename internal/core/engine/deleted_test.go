package engine_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestAnotherInjectorAfterADeletionByHand claims that what one injector replaced is not forgotten when its list is
// emptied by hand and another injector brings the same: a second run of that finds nothing to do, and removing both
// gives the app its own back.
func TestAnotherInjectorAfterADeletionByHand(t *testing.T) {
	const wish = "onConflict: {env: Replace}\nappContainers:\n- env: [{name: PROXY, value: '1'}]\n"
	const app = "containers:\n- name: app\n  image: app:1\n"
	const proxy = "  - {name: PROXY, value: none}\n"
	for _, left := range []string{"  env:\n", "  env: # none\n", "  env: ~\n", "  env: []\n", ""} {
		t.Run(left, func(t *testing.T) {
			first := deployment(app + "  env:\n" + proxy)
			with := mustRun(t, first, injectorOf("a", wish))
			before, _, _ := strings.Cut(with, "        env:\n")
			deleted := before + indent(left, "      ")
			once := mustRun(t, deleted, injectorOf("b", wish))
			if twice := mustRun(t, once, injectorOf("b", wish)); twice != once {
				t.Errorf("a second run changes it (-first +second):\n%s", cmp.Diff(once, twice))
			}
			if back := mustRun(t, once, removalOf("b"), removalOf("a")); !strings.Contains(back, proxy) {
				t.Errorf("the app's variable is not given back:\n%s", back)
			}
		})
	}
}

// TestAStampOfAnotherRunNamesWhatIsNotThere claims that an injection of something that the stamp of another injector
// names, and that was deleted or never there, settles at once: a second run changes nothing, or both are refused. So do
// two injectors in either order.
func TestAStampOfAnotherRunNamesWhatIsNotThere(t *testing.T) {
	const app = "containers:\n- name: app\n  image: app:1\n"
	const envoy = "containers:\n- {name: envoy, image: envoy:1, mode: Container%s}\n"
	for name, c := range map[string]struct{ app, theirs, mine string }{
		"a container at the other end": {
			app, strings.Replace(envoy, "%s", "", 1), strings.Replace(envoy, "%s", ", podInjectPolicy: BeforeAppContainer", 1),
		},
		"a native sidecar at the other end": {
			app, "containers: [{name: envoy, image: envoy:1}]\n",
			"containers: [{name: envoy, image: envoy:1, podInjectPolicy: AfterAppContainer}]\n",
		},
		"a container that was replaced": {
			app + "- {name: envoy, image: envoy:0}\n", "onConflict: {container: Replace}\n" + strings.Replace(envoy, "%s", "", 1),
			"containers: [{name: envoy, image: envoy:0, mode: Container}]\n",
		},
		"a volume that was replaced": {
			app + "volumes: [{name: v, emptyDir: {}}]\n", "onConflict: {volume: Replace}\nvolumes: [{name: v, hostPath: {path: /v}}]\n",
			"volumes: [{name: v, emptyDir: {}}]\n",
		},
		"a variable that was replaced": {
			app + "  env: [{name: A, value: a}]\n", "onConflict: {env: Replace}\nappContainers: [{env: [{name: A, value: b}]}]\n",
			"appContainers: [{env: [{name: A, value: a}]}]\n",
		},
		"a volume": {app, "volumes: [{name: v, emptyDir: {}}]\n", "volumes: [{name: v, emptyDir: {}}]\n"},
		"a variable": {
			app, "appContainers: [{env: [{name: A, value: a}]}]\n", "appContainers: [{env: [{name: A, value: a}], envPosition: Append}]\n",
		},
		"a label": {app, "patchPodMetadata: [{labels: {x: y}}]\n", "patchPodMetadata: [{labels: {x: y}, patchPolicy: Overwrite}]\n"},
	} {
		for _, order := range [][2]string{{c.theirs, c.mine}, {c.mine, c.theirs}} {
			t.Run(name, func(t *testing.T) {
				with := mustRun(t, deployment(c.app), injectorOf("other", order[0]))
				stamp := regexp.MustCompile(`(?m)^ *pillion.dev/injected-other: .*\n`).FindString(with)
				if stamp == "" {
					return // the app has it already
				}
				left := strings.Replace(deployment(app), "template:\n", "template:\n    metadata:\n      annotations:\n"+stamp, 1)
				config := injectorOf("mine", order[1])
				once, said, failed := step(t, config, left)
				if failed {
					if !strings.Contains(said, "InjectorConflict") {
						t.Errorf("it is refused: %s", said)
					}
					return
				}
				if twice, said, failed := step(t, config, once); failed || twice != once {
					t.Errorf("a second run changes it (-first +second):\n%s%s", cmp.Diff(once, twice), said)
				}
			})
		}
	}
}

// TestRemovingNamesOnlyWhatWasThere claims that the report of a removal does not list what somebody had deleted, and
// lists the rest.
func TestRemovingNamesOnlyWhatWasThere(t *testing.T) {
	const config = "containers: [{name: envoy, image: envoy:1, mode: Container}]\nvolumes: [{name: v, emptyDir: {}}]\n" +
		"patchPodMetadata: [{labels: {x: y}}]\nappContainers: [{env: [{name: A, value: a}, {name: OPTS, value: -agent, join: ' '}]}]\n"
	first := deployment("containers:\n- name: app\n  image: app:1\n  env:\n  - {name: OPTS, value: -Xmx1g}\n")
	with := mustRun(t, first, injectorOf("a", config))
	for deleted, left := range map[string]string{
		"      - {name: envoy, image: envoy:1}\n": "removes label x; removes env variable A of container app; " +
			"removes value -agent of env variable OPTS of container app; removes volume v",
		"        - {name: A, value: a}\n": "removes label x; removes container envoy; " +
			"removes value -agent of env variable OPTS of container app; removes volume v",
		" -agent": "removes label x; removes container envoy; removes env variable A of container app; removes volume v",
	} {
		if !strings.Contains(with, deleted) {
			t.Fatalf("%q is not in\n%s", deleted, with)
		}
		_, said, failed := step(t, removalOf("a"), strings.Replace(with, deleted, "", 1))
		if _, listed, _ := strings.Cut(said, "Removed: deployment/web: "); failed || !strings.HasPrefix(listed, left+" [a]") {
			t.Errorf("without %q:\n got %s\nwant %s", deleted, said, left)
		}
	}
}

// TestAVariableThatAPersonAddedToStays claims that the removal of what was joined to a variable says so, and not that
// the variable goes.
func TestAVariableThatAPersonAddedToStays(t *testing.T) {
	with := mustRun(t, deployment("containers:\n- name: app\n  image: app:1\n"), injectorOf("a", joinsAgent))
	after, said, _ := step(t, removalOf("a"), strings.Replace(with, "value: -agent", "value: -Xmx1g -agent", 1))
	const want = "removes value -agent of env variable OPTS of container app [a]"
	if !strings.Contains(after, "value: -Xmx1g}") || !strings.Contains(said, want) {
		t.Errorf("%s%s", after, said)
	}
}
