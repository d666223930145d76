package engine_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// deployment is a workload with a pod spec, and whatever else its pod template has.
func deployment(spec string) string {
	return "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  template:\n    spec:\n" + indent(spec, "      ")
}

func injectorOf(name, spec string) string {
	return "apiVersion: pillion.dev/v1alpha1\nkind: SidecarInjector\nmetadata:\n  name: " + name + "\nspec:\n" + indent(spec, "  ")
}

func removalOf(name string) string { return injectorOf(name, "action: Remove\n") }

// mustRun runs configs one after the other.
func mustRun(t *testing.T, items string, configs ...string) string {
	t.Helper()
	for _, config := range configs {
		after, said, failed := step(t, config, items)
		if failed {
			t.Fatalf("it is refused:\n%s", said)
		}
		items = after
	}
	return items
}

func TestEachInjectorGivesBackWhatItTookOut(t *testing.T) {
	replace := func(name, variable string) string {
		return injectorOf(name, "onConflict: {env: Replace}\nappContainers:\n- env: [{name: "+variable+", value: new}]\n")
	}
	first := deployment("containers:\n- name: app\n  image: app:1\n  env:\n" + strings.Join([]string{
		"  - {name: L, value: l1}", "  - {name: M, value: m1}",
		"  - {name: Z, value: z}", "",
	}, "\n"))
	prepend := injectorOf("c", "appContainers:\n- env: [{name: P, value: p}]\n  envPosition: Prepend\n")
	with := mustRun(t, first, replace("a", "L"), replace("b", "M"), prepend)
	for _, order := range []string{"abc", "bac", "cab", "cba"} {
		items := with
		for _, name := range order {
			items = mustRun(t, items, removalOf(string(name)))
		}
		if items != first {
			t.Errorf("removing %s (-first +back):\n%s", order, cmp.Diff(first, items))
		}
	}
}

func TestNoStampIsWrittenThatIsTooLongToBeRead(t *testing.T) {
	const variables = 8000
	app := deployment("containers:\n- name: app\n  image: app:1\n  env:\n" + repeat(variables,
		"  - {name: VARIABLE_%d, value: \"of the app\"}\n", ""))
	replace := injectorOf("envoy", "onConflict: {container: Replace}\ncontainers:\n- name: app\n  image: envoy:1\n  mode: Container\n")
	after, said, failed := step(t, replace, app)
	if !failed || after != app || !strings.Contains(said, "StampTooLong") {
		t.Errorf("it is refused: %t, and changed: %t; it says %s", failed, after != app, said)
	}
}

func repeat(count int, format, separator string) string {
	parts := make([]string, count)
	for i := range parts {
		parts[i] = fmt.Sprintf(format, i)
	}
	return strings.Join(parts, separator)
}

// TestChangedContainerIsRecognised changes a container by hand and its config as well, so that neither fingerprint
// matches.
func TestChangedContainerIsRecognised(t *testing.T) {
	first := deployment("containers:\n- name: app\n  image: app:1\n")
	with := mustRun(t, first, injectorOf("a", "containers: [{name: helper, image: \"example.com:5000/helper:1\"}]\n"))
	changed := strings.Replace(with, "helper:1\"", "helper:1\", tty: true", 1)
	for next, isSame := range map[string]bool{
		"example.com:5000/helper:2": true, "example.com:5000/helper@sha256:00": true,
		"example.com:5000/other:1": false, "example.com:5000": false,
	} {
		after, said, failed := step(t, injectorOf("a", "containers: [{name: helper, image: \""+next+"\"}]\n"), changed)
		if failed == isSame || strings.Contains(said, "ContainerConflict") == isSame {
			t.Errorf("with the image %s:\n%s\n%s", next, said, after)
		}
	}
}

// TestRemoveRestoresWhatTheAppHad removes an injector that replaced a volume and a container of the app, both changed by
// hand since.
func TestRemoveRestoresWhatTheAppHad(t *testing.T) {
	first := deployment("containers:\n- name: app\n  image: app:1\n- name: helper\n  image: mine:1\nvolumes:\n- name: data\n  emptyDir: {}\n")
	const policies = "onConflict: {container: Replace, volume: Replace}\n"
	with := mustRun(t, first, injectorOf("a", policies+"containers: [{name: helper, image: \"helper:1\", args: [serve], mode: Container}]\n"+
		"volumes: [{name: data, hostPath: {path: /srv}}]\n"))
	changed := strings.NewReplacer("helper:1", "helper:2", "/srv", "/tmp").Replace(with)
	after, said, failed := step(t, injectorOf("a", policies+"action: Remove\n"), changed)
	if failed || after != first || strings.Count(said, "warning: Drifted") != 2 {
		t.Errorf("the app's are not restored (-before +after):\n%s\n%s", cmp.Diff(first, after), said)
	}
}
