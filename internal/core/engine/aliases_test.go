package engine_test

import (
	"strings"
	"testing"
)

// TestEntriesThatAreAliasesCanBeReplaced claims that a variable, mount or volume that is an alias is replaced and
// recorded as a whole.
func TestEntriesThatAreAliasesCanBeReplaced(t *testing.T) {
	const others = "containers:\n- name: other\n  image: other:1\n"
	for name, c := range map[string]struct{ spec, config string }{
		"a variable": {
			others + "  env: [&e {name: A, value: a}]\n- name: app\n  image: app:1\n  env: [*e]\n",
			"onConflict: {env: Replace}\nappContainers: [{containers: [app], env: [{name: A, value: b}]}]\n",
		},
		"a mount": {
			others + "  volumeMounts: [&e {name: v, mountPath: /v}]\n- name: app\n  image: app:1\n  volumeMounts: [*e]\n" +
				"volumes: [{name: v, emptyDir: {}}]\n",
			"onConflict: {mountPath: Replace}\nappContainers: [{containers: [app], volumeMounts: [{name: v, mountPath: /v, readOnly: true}]}]\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			with := mustRun(t, deployment(c.spec), injectorOf("a", c.config))
			if again := mustRun(t, with, injectorOf("a", c.config)); again != with {
				t.Errorf("a second run gives\n%s", again)
			}
			back := mustRun(t, with, removalOf("a"))
			if canonical(t, back) != canonical(t, deployment(c.spec)) {
				t.Errorf("removing gives\n%s", back)
			}
		})
	}
}

// TestErrorsAboutAliasesNameTheRemedy claims that errors about aliases point to the place, and say what to do.
func TestErrorsAboutAliasesNameTheRemedy(t *testing.T) {
	for name, c := range map[string]struct{ items, config, want string }{
		"a change that an alias would spread": {
			deployment("containers: [{name: app, image: app:1}]\nvolumes:\n- &v {name: v, emptyDir: {}}\n- <<: *v\n  name: w\n"),
			"onConflict: {volume: Replace}\nvolumes: [{name: v, hostPath: {path: /v}}]\n",
			"web.yaml:11:13: error: SharedByAlias: deployment/web: the change would reach other places through the alias *v; write out",
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, said, failed := step(t, injectorOf("a", c.config), c.items)
			if !failed || !strings.Contains(said, c.want) || strings.Contains(said, "transformer") {
				t.Errorf("it says\n%s", said)
			}
		})
	}
}

// TestAnAliasThatWasReplacedComesBackWrittenOut claims that a container that is an alias can be replaced, and that its
// content comes back.
func TestAnAliasThatWasReplacedComesBackWrittenOut(t *testing.T) {
	items := "x: &c {name: envoy, image: envoy:0}\n" + deployment("containers:\n- {name: app, image: app:1}\n- *c\n")
	spec := "onConflict: {container: Replace}\ncontainers: [{name: envoy, image: envoy:1, mode: Container}]\n"
	after := mustRun(t, items, injectorOf("a", spec))
	if again := mustRun(t, after, injectorOf("a", spec)); again != after {
		t.Errorf("a second run changes it:\n%s", again)
	}
	bare := mustRun(t, after, injectorOf("a", "action: Remove\n"))
	if want := strings.Replace(items, "- *c\n", "- {name: envoy, image: envoy:0}\n", 1); bare != want {
		t.Errorf("it comes back as\n%s", bare)
	}
}
